// A plain server under steady load.
const rounds = require('./rounds');
const http = require('http');

const hits = {};
const server = http.createServer((request, response) => {
  hits[request.url] = (hits[request.url] ?? 0) + 1;
  response.end(JSON.stringify({ url: request.url, hits: hits[request.url] }));
});
const ready = new Promise(resolve => server.listen(0, resolve));
const get = path => new Promise((resolve, reject) => {
  http.get({ port: server.address().port, path, agent: false }, response => {
    response.resume().on('end', resolve);
  }).on('error', reject);
});

rounds(async () => {
  await ready;
  for (let i = 0; i < 150; i++) await get(`/page/${i % 30}`);
});
