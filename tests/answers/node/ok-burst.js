// A server that is dumped while 20, 200 and 60 requests wait for their answers.
const rounds = require('./rounds');
const http = require('http');
const express = require('express');

class Search { constructor(words) { this.words = words; this.hits = Array.from({ length: 20 }, (_, n) => ({ n, text: words + n })); } }
const app = express();
const waiting = new Set();
app.get('/search', (req, res) => {
  const search = new Search(req.query.q);
  waiting.add(search);
  setTimeout(() => { waiting.delete(search); res.json(search.hits.length); }, 400);
});
const server = app.listen(0);
server.keepAliveTimeout = 60000;
const agent = new http.Agent({ keepAlive: true });
const get = q => new Promise((resolve, reject) => {
  http.get({ port: server.address().port, path: `/search?q=${q}`, agent }, r => r.resume().on('end', resolve)).on('error', reject);
});
rounds(async round => {
  if (round === 0) return Promise.all(Array.from({ length: 220 }, (_, n) => get(n)));
  await new Promise(resolve => setTimeout(resolve, 600));
  for (let i = 0; i < [20, 20, 200, 60][round]; i++) get(`r${round}-${i}`).catch(() => {});
  await new Promise(resolve => setTimeout(resolve, 150));
});
