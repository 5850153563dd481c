// A log is appended to a text that is never written.
const rounds = require('./rounds');
const http = require('http');

let transcript = '';
const server = http.createServer((req, res) => {
  transcript += `${new Date().toISOString()} ${req.method} ${req.url} agent=${req.headers['user-agent']} from ${req.socket.remotePort}\n`;
  res.end('ok');
});
const ready = new Promise(resolve => server.listen(0, resolve));
server.keepAliveTimeout = 60000;
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const get = path => new Promise((resolve, reject) => {
  http.get({ port: server.address().port, path, agent, headers: { 'user-agent': `probe ${path}` } }, r => r.resume().on('end', resolve)).on('error', reject);
});

let n = 0;
rounds(async () => {
  await ready;
  for (let i = 0; i < 800; i++) await get(`/item/${n++}`);
});
