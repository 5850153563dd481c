// A plain object with 150 entries, the oldest deleted; later documents are larger.
const rounds = require('./rounds');
class Doc { constructor(id, size) { this.id = id; this.blocks = Array.from({ length: size }, (_, i) => ({ i, id })); } }
const cache = { byId: {}, order: [] }; let n = 0;
rounds(async round => { for (let i = 0; i < 300; i++, n++) { cache.byId[`d${n}`] = new Doc(n, 20 + 10 * round); cache.order.push(`d${n}`); if (cache.order.length > 150) delete cache.byId[cache.order.shift()]; } });
