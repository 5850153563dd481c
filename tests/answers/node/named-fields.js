// Eight named fields of one object have a map by visitor each.
const rounds = require('./rounds');
class VisitSum { constructor(key) { this.key = key; this.hits = 0; this.bytes = 0; } }
const stats = { byVisitor: new Map(), byReferrer: new Map(), byPath: new Map(), byAgent: new Map(), byCampaign: new Map(), byBasket: new Map(), byQuery: new Map(), byToken: new Map() };
function count(map, key) { let sum = map.get(key); if (!sum) map.set(key, sum = new VisitSum(key)); sum.hits++; sum.bytes += 100; }
let n = 0;
rounds(async () => { for (let i = 0; i < 200; i++, n++) for (const name of Object.keys(stats)) count(stats[name], `${name}:${n}`); });
