// A server that has run hot: thousands of requests with compiled code; each visit without a cookie leaves a session.
const rounds = require('./rounds');
const http = require('http');
const express = require('express');

class VisitSession {
  constructor(id) { this.id = id; this.basket = []; this.flash = { level: 'info', text: `welcome ${id}` }; this.seen = new Array(12).fill(id); }
}
class SessionStore {
  constructor() { this.byId = new Map(); }
  open(id) { const session = new VisitSession(id); this.byId.set(id, session); return session; }
}
const store = new SessionStore();
const app = express();
let visits = 0;
app.use((req, res, next) => { req.session = store.open(`v-${visits++}`); next(); });
const price = items => items.reduce((sum, item) => sum + item.cents * item.count, 0);
app.get('/basket', (req, res) => {
  let total = 0;
  for (let n = 0; n < 300; n++) total += price([{ cents: n, count: 2 }, { cents: 10, count: n }]);
  req.session.basket.push(total);
  res.json({ total });
});
const server = app.listen(0);
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const get = path => new Promise((resolve, reject) => http.get({ port: server.address().port, path, agent }, r => r.resume().on('end', resolve)).on('error', reject));
rounds(async () => { for (let n = 0; n < 1500; n += 4) await Promise.all([get('/basket'), get('/basket'), get('/basket'), get('/basket')]); });
