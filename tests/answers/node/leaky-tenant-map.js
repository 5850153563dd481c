// One tenant of 41 keeps all visits.
const rounds = require('./rounds');
class Visit { constructor(n) { this.n = n; this.page = { n }; } }
class Tenant { constructor(name, keep) { this.name = name; this.keep = keep; this.recent = new Map(); } visit(n) { this.recent.set(n, new Visit(n)); if (this.recent.size > this.keep) this.recent.delete(this.recent.keys().next().value); } }
const tenants = {}; for (let i = 0; i < 40; i++) tenants[`t${i}`] = new Tenant(`t${i}`, 25); tenants.acme = new Tenant('acme', Infinity); let n = 0;
rounds(async () => { for (let i = 0; i < 400; i++) tenants.acme.visit(n++); for (let i = 0; i < 40 * 40; i++, n++) tenants[`t${n % 40}`].visit(n); });
