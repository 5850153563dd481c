// Counters by tenant, by day and by page: a map of maps of maps, of which no day is ever dropped.
const { write } = require('./write.js');
class Metrics {
  constructor() { this.byTenant = new Map(); }
  hit(tenant, day, page) {
    if (!this.byTenant.has(tenant)) this.byTenant.set(tenant, new Map());
    const days = this.byTenant.get(tenant);
    if (!days.has(day)) days.set(day, new Map());
    const pages = days.get(day);
    pages.set(page, { tenant, hits: (pages.get(page)?.hits ?? 0) + 1, last: new Date() });
  }
}
const metrics = new Metrics();
module.exports = { metrics };
for (let t = 0; t < 15; t++) for (let d = 0; d < 15; d++) for (let p = 0; p < 25; p++) metrics.hit('tenant' + t, d, '/page/' + p);
write();
