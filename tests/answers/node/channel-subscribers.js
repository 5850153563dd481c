// Queries are published on a channel of diagnostics. A report subscribes to it to know its own queries, and does not unsubscribe when it is written.
const rounds = require('./rounds');
const channels = require('node:diagnostics_channel');

const queries = channels.channel('shop:query');
class Database {
  find(table, id) {
    if (queries.hasSubscribers) queries.publish({ table, id });
    return { table, id };
  }
}
class QueryReport {
  #queries = [];
  constructor(user) {
    this.user = user;
    this.sections = Array.from({ length: 6 }, (_, n) => ({ title: `section ${n} of ${user}`, rows: [n, n + 1, n + 2] }));
    channels.subscribe('shop:query', query => { if (this.open) this.#queries.push(query.table); });
  }
  write(database) {
    this.open = true;
    for (let n = 0; n < 3; n++) database.find('orders', n);
    this.open = false;
    return `${this.user}: ${this.#queries.length}`;
  }
}
const database = new Database();
rounds(round => { for (let n = 0; n < 400; n++) new QueryReport(`user-${round}-${n}`).write(database); });
