// A plug-in mounts its routes on each request, so the router has more layers each time.
const rounds = require('./rounds');
const http = require('http');
const express = require('express');

const app = express();
function mountFeature(name) {
  const settings = { name, limits: new Array(40).fill(name) };
  app.get(`/feature/${name}`, (req, res) => res.json(settings));
}
app.get('/page', (req, res) => {
  mountFeature(req.query.user);
  res.send('ok');
});
const server = app.listen(0);
server.keepAliveTimeout = 60000;
const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
const get = path => new Promise((resolve, reject) => {
  http.get({ port: server.address().port, path, agent }, r => r.resume().on('end', resolve)).on('error', reject);
});

let n = 0;
rounds(async () => {
  for (let i = 0; i < 300; i++) await get(`/page?user=u${n++}`);
});
