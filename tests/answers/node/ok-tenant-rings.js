// For each tenant the last 50 requests and sums by minute are kept, in rings of a fixed size. They fill up soon.
const rounds = require('./rounds');

class TenantStats {
  recent = [];
  at = 0;
  sums = new Float64Array(60);
  add(request) { this.recent[this.at++ % 50] = request; this.sums[this.at % 60] += request.ms; }
}
const statsByTenant = new Map();
let seed = 11;
const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
rounds(async () => {
  for (let i = 0; i < 9000; i++) {
    const tenant = `tenant-${Math.floor(80 * random())}`;
    let stats = statsByTenant.get(tenant);
    if (!stats) statsByTenant.set(tenant, stats = new TenantStats());
    stats.add({ ms: random() * 100, path: `/orders/${i}`, user: { id: i } });
  }
});
