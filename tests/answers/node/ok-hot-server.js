// A server that has run hot, with a bounded cache of answers and varied traffic.
const rounds = require('./rounds');
const http = require('http');
const express = require('express');
const { LRUCache } = require('lru-cache');

const answers = new LRUCache({ max: 300 });
const app = express();
app.get('/item/:id', (req, res) => {
  let answer = answers.get(req.params.id);
  if (!answer) answers.set(req.params.id, answer = { id: req.params.id, related: Array.from({ length: 10 }, (_, i) => ({ i, title: `${req.params.id}-${i}` })) });
  let sum = 0;
  for (let n = 0; n < 2000; n++) sum += (n * answer.related.length) % 7;
  res.json({ ...answer, sum });
});
const server = app.listen(0);
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const get = path => new Promise((resolve, reject) => http.get({ port: server.address().port, path, agent }, r => r.resume().on('end', resolve)).on('error', reject));
const load = [900, 1300, 700, 1600];
rounds(async round => { for (let n = 0; n < load[round]; n += 2) await Promise.all([get(`/item/${round * 1000 + n}`), get(`/item/${n % 50}`)]); });
