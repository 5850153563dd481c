// Each report subscribes to the channel on which the database says what it does.
const rounds = require('./rounds');
const diagnostics = require('diagnostics_channel');

const queries = diagnostics.channel('db:query');
class QueryReport {
  constructor(name) {
    this.name = name;
    this.slow = Array.from({ length: 25 }, () => ({ sql: '', ms: 0 }));
    diagnostics.subscribe('db:query', message => { if (message.ms > 1000) this.slow.push(message); });
  }
}

rounds(round => {
  for (let i = 0; i < 150; i++) new QueryReport(`report ${round}-${i}`);
  queries.publish({ sql: 'select 1', ms: 3 });
});
