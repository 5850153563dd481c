// A table of routes that is read anew each round, larger each time; three versions are kept.
const rounds = require('./rounds');
class Route { constructor(p, v) { this.path = p; this.version = v; this.match = new RegExp(`^${p}$`); this.targets = [`10.0.0.${v}`, p]; } }
const router = { current: null, previous: [] };
const load = (round, v) => Array.from({ length: Math.round(400 * 1.25 ** round) }, (_, i) => new Route(`/svc/${i}`, v));
let v = 0;
rounds(async round => { for (let k = 0; k < 4; k++) { if (router.current) router.previous.push(router.current); if (router.previous.length > 3) router.previous.shift(); router.current = load(round, v++); } });
