// prom-client with few labels in an express server.
const rounds = require('./rounds');
const http = require('http');
const express = require('express');
const prom = require('prom-client');

prom.collectDefaultMetrics();
const seconds = new prom.Histogram({ name: 'http_seconds', help: 'time', labelNames: ['route', 'status'] });
const app = express();
app.get('/orders/:id', (req, res) => {
  const end = seconds.startTimer();
  res.json({ id: req.params.id });
  end({ route: '/orders/:id', status: res.statusCode });
});
app.get('/metrics', async (req, res) => res.type('text').send(await prom.register.metrics()));
const server = app.listen(0);
server.keepAliveTimeout = 60000;
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const get = path => new Promise((resolve, reject) => {
  http.get({ port: server.address().port, path, agent }, r => r.resume().on('end', resolve)).on('error', reject);
});
let n = 0;
rounds(async () => {
  for (let i = 0; i < 400; i++) await get(`/orders/${n++}`);
  await get('/metrics');
});
