// Of 1200 jobs under way at once 250 a round never end.
const rounds = require('./rounds');
class Lease { constructor(id) { this.id = id; this.owner = { name: `w${id}` }; } }
const leases = new Set(); let id = 0;
rounds(async () => { const batch = []; for (let i = 0; i < 1250; i++) { const l = new Lease(id++); leases.add(l); batch.push(l); } for (const l of batch) if (l.id % 5) leases.delete(l); });
