// Ten tenants have a private list each.
const rounds = require('./rounds');
class AuditLine { constructor(n) { this.n = n; this.text = `user ${n} changed`; } }
class Tenant { #audit = []; constructor(name) { this.name = name; } note(n) { this.#audit.push(new AuditLine(n)); } }
const tenants = new Map(Array.from({ length: 10 }, (_, n) => [`t${n}`, new Tenant(`t${n}`)]));
let n = 0;
rounds(async () => { for (let i = 0; i < 1000; i++, n++) tenants.get(`t${n % 10}`).note(n); });
