'use strict';
// A router whose handlers run hot: closures over a table, a cache of results, polymorphic calls.
const v8 = require('v8');
class Route { constructor(path, run) { this.path = path; this.run = run; this.hits = 0; } }
class Reply { constructor(status, body) { this.status = status; this.body = body; } }
class Router {
  constructor() { this.routes = []; this.log = []; }
  on(path, run) { this.routes.push(new Route(path, run)); }
  find(path) { for (const route of this.routes) if (route.path === path) return route; return null; }
  handle(path, n) { const route = this.find(path); route.hits++; const reply = route.run(n); if (n % 4 === 0) this.log.push(reply); return reply; }
}
const router = new Router();
for (let k = 0; k < 8; k++) router.on('/r' + k, (n) => new Reply(200 + k, 'body-' + (n % 100)));
function drive(times) { let sum = 0; for (let i = 0; i < times; i++) sum += router.handle('/r' + i % 8, i).status; return sum; }
for (let r = 0; r < 20; r++) drive(3000);
// Compilers that still work hold what they read.
globalThis.kept = router;
setTimeout(() => { gc(); v8.writeHeapSnapshot(process.argv[2]); process.abort(); }, 300);
