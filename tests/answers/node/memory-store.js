// The store that express-session uses when it is given none: sessions of visitors without a cookie stay.
const rounds = require('./rounds');
const http = require('http');
const express = require('express');
const session = require('express-session');

const app = express();
app.use(session({ secret: 'not a secret', resave: false, saveUninitialized: true }));
app.get('/', (req, res) => {
  req.session.cart = Array.from({ length: 10 }, (_, n) => ({ sku: `sku-${n}`, count: n }));
  req.session.landing = req.get('referer');
  res.send('hello');
});
const server = app.listen(0);
server.keepAliveTimeout = 60000;
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const get = n => new Promise((resolve, reject) => {
  http.get({ port: server.address().port, path: '/', agent, headers: { referer: `https://example.org/${n}` } }, r => r.resume().on('end', resolve)).on('error', reject);
});

let n = 0;
rounds(async () => {
  for (let i = 0; i < 400; i++) await get(n++);
});
