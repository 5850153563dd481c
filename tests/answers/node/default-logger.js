// A service that logs with the logger of the package, which nobody configured (winstonjs/winston#2114).
const http = require('http');
const winston = require('winston');
const rounds = require('./rounds');

const server = http.createServer((request, response) => {
  winston.warn(`slow answer for ${request.url}`);
  response.end('ok');
});
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const get = path => new Promise((resolve, reject) => {
  http.get({ port: server.address().port, path, agent }, response => response.resume().on('end', resolve)).on('error', reject);
});

process.stderr.write = () => true;
rounds(async round => {
  if (!server.listening) await new Promise(done => server.listen(0, done));
  for (let i = 0; i < 700; i++) await get(`/orders/${round * 700 + i}`);
});
