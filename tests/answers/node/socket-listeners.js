// A connection that is kept serves many requests; each adds a listener to it, for the case that it breaks.
const rounds = require('./rounds');
const http = require('http');

class Transaction {
  constructor(url) { this.url = url; this.statements = Array.from({ length: 10 }, (_, n) => `insert ${n} ${url}`); }
  rollback() { this.statements.length = 0; }
}
const server = http.createServer((req, res) => {
  const transaction = new Transaction(req.url);
  req.socket.setMaxListeners(0);
  req.socket.on('close', () => transaction.rollback());
  res.end('stored');
});
server.keepAliveTimeout = 60000;
const ready = new Promise(resolve => server.listen(0, resolve));
const agent = new http.Agent({ keepAlive: true, maxSockets: 3 });
const get = path => new Promise((resolve, reject) => {
  http.get({ port: server.address().port, path, agent }, r => r.resume().on('end', resolve)).on('error', reject);
});

let n = 0;
rounds(async () => {
  await ready;
  for (let i = 0; i < 500; i++) await Promise.all([get(`/a/${n}`), get(`/b/${n}`), get(`/c/${n++}`)]);
});
