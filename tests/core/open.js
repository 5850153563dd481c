'use strict';
// A server with twenty requests that it never answers, fifteen timers and a socket of its own, then what Node itself says is
// open. usage: node open.js FILE; it ends by abort.
const http = require('http'), net = require('net'), fs = require('fs');
for (let i = 0; i < 10; i++) setTimeout(function sendReport() { }, 60000 + i * 1000);
for (let i = 0; i < 4; i++) setInterval(function pollQueue() { }, 30000);
setTimeout(function rarely() { }, 3600000).unref();
const server = http.createServer(function onRequest() { });
const plain = net.createServer(function onSocket() { });
server.listen(0, '127.0.0.1', () => plain.listen(0, '127.0.0.1', () => {
  for (let i = 0; i < 20; i++) {
    const options = { host: '127.0.0.1', port: server.address().port, path: '/order/' + i, method: i % 2 ? 'POST' : 'GET', agent: false };
    const request = http.request(options);
    if (i % 2) request.write('body');
    else request.end();
  }
  net.connect(plain.address().port, '127.0.0.1');
  setTimeout(function ready() {
    const counts = {};
    for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] || 0) + 1;
    const open = process._getActiveHandles().filter((h) => h._handle && h._handle.fd >= 0);
    const handles = open.map((h) => [h.constructor.name, h._handle.fd, h.remoteAddress ? h.remoteAddress + ':' + h.remotePort : null]);
    fs.writeFileSync(process.argv[2], JSON.stringify({ counts, handles }));
    process.abort();
  }, 800);
}));
