// An express server under steady load, with a limiter that forgets.
const rounds = require('./rounds');
const http = require('http');
const express = require('express');

const app = express();
const window = new Map();
app.use((request, response, next) => {
  const address = request.headers['x-from'];
  window.set(address, (window.get(address) ?? 0) + 1);
  if (window.size > 100) window.delete(window.keys().next().value);
  next();
});
app.get('/item/:id', (request, response) => response.json({ id: request.params.id, tags: ['a', 'b'] }));

const server = app.listen(0);
const get = i => new Promise((resolve, reject) => {
  const options = { port: server.address().port, path: `/item/${i % 40}`, agent: false, headers: { 'x-from': `10.0.0.${i}` } };
  http.get(options, r => r.resume().on('end', resolve)).on('error', reject);
});

rounds(async round => {
  for (let i = 0; i < 300; i++) await get(round * 300 + i);
});
