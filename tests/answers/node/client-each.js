// Each request makes a client of a database, which wants to know when the process ends.
const rounds = require('./rounds');

class QueryEngine {
  constructor(model) { this.model = model; this.pending = new Map(); }
}
class OrmClient {
  constructor() {
    const model = { User: ['id', 'name', 'mail'], Order: ['id', 'total'] };
    this.engine = new QueryEngine(structuredClone(model));
    this.$on = this.$on.bind(this);
    process.setMaxListeners(0);
    process.on('beforeExit', () => this.$disconnect());
  }
  $on(event, f) { this.event = event; }
  async $disconnect() { this.engine = null; }
  async findMany(model) { return this.engine.model[model].map(field => ({ field })); }
}
async function handler() {
  const db = new OrmClient();
  return db.findMany('User');
}
rounds(async () => { for (let n = 0; n < 500; n++) await handler(); });
