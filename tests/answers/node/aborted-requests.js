// What is being answered is noted by the number of the request, and forgotten when the answer is sent. Some clients go before.
const rounds = require('./rounds');
const http = require('http');

class RequestTrace {
  #started = performance.now();
  constructor(req) { this.url = req.url; this.marks = Array.from({ length: 12 }, (_, n) => ({ n, at: this.#started + n })); }
}
const openRequests = new Map();
let number = 0;
const server = http.createServer((req, res) => {
  const id = `r-${++number}`;
  openRequests.set(id, new RequestTrace(req));
  res.on('finish', () => openRequests.delete(id));
  if (req.url.startsWith('/slow')) return;
  res.end('answer');
});
const ready = new Promise(resolve => server.listen(0, resolve));
const get = path => new Promise((resolve, reject) => {
  http.get({ port: server.address().port, path }, r => r.resume().on('end', resolve)).on('error', reject);
});
const give = path => new Promise(resolve => {
  const request = http.get({ port: server.address().port, path });
  request.on('error', resolve);
  setTimeout(() => request.destroy(), 20);
});
rounds(async () => {
  await ready;
  for (let i = 0; i < 60; i++) await Promise.all([get('/a'), get('/b'), ...Array.from({ length: 5 }, (_, n) => give(`/slow/${n}`))]);
  await new Promise(resolve => setTimeout(resolve, 100));
});
