// Each request listens to the signal that says that the server stops.
const rounds = require('./rounds');
const { setMaxListeners } = require('events');

const shutdown = new AbortController();
setMaxListeners(0, shutdown.signal);
class Query {
  constructor(n) {
    this.rows = new Array(40).fill(n);
  }
}
function run(n) {
  const query = new Query(n);
  shutdown.signal.addEventListener('abort', () => { query.rows = null; });
}

rounds(round => {
  for (let i = 0; i < 400; i++) run(round * 400 + i);
});
