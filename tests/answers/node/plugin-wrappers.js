// Each request asks for the database with a tenant, and the extension wraps the client that was extended before.
const rounds = require('./rounds');

class DatabaseClient {
  constructor(parent, tenant) { this.parent = parent; this.tenant = tenant; this.models = Array.from({ length: 8 }, (_, i) => `${tenant}.m${i}`); }
  extend(tenant) { return new DatabaseClient(this, tenant); }
}
class Database {
  constructor() { this.client = new DatabaseClient(null, 'root'); }
  forTenant(tenant) { return this.client = this.client.extend(tenant); }
}
const database = new Database();
rounds(round => {
  for (let n = 0; n < 800; n++) database.forTenant(`t${round}-${n}`);
});
