// A histogram of response times has the address of the request as a label, and addresses have numbers in them.
const rounds = require('./rounds');
const http = require('http');
const express = require('express');
const prom = require('prom-client');

const responseTime = new prom.Histogram({
  name: 'http_response_seconds', help: 'time', labelNames: ['method', 'path', 'status'], buckets: [0.01, 0.1, 1],
});
const app = express();
app.use((req, res, next) => {
  const end = responseTime.startTimer();
  res.on('finish', () => end({ method: req.method, path: req.url, status: res.statusCode }));
  next();
});
app.get('/orders/:id', (req, res) => res.json({ id: req.params.id }));
const server = app.listen(0);
server.keepAliveTimeout = 60000;
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const get = path => new Promise((resolve, reject) => {
  http.get({ port: server.address().port, path, agent }, r => r.resume().on('end', resolve)).on('error', reject);
});

let order = 1000;
rounds(async () => {
  for (let i = 0; i < 500; i++) await get(`/orders/${order++}`);
});
