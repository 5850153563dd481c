// A client that keeps up to 12 connections alive; how many are open grows for a while, with the load.
const rounds = require('./rounds');
const http = require('http');

const stockAgent = new http.Agent({ keepAlive: true, maxSockets: 12 });
const server = http.createServer((request, response) => setTimeout(() => response.end(JSON.stringify({ path: request.url })), 2));
const listening = new Promise(resolve => server.listen(0, resolve));
const ask = path => new Promise((resolve, reject) => http.get({ port: server.address().port, path, agent: stockAgent }, response => {
  response.resume();
  response.on('end', resolve);
}).on('error', reject));
rounds(async round => {
  await listening;
  const width = [3, 6, 9, 12][round];
  for (let n = 0; n < 40; n++) await Promise.all(Array.from({ length: width }, (_, i) => ask(`/stock/${n}/${i}`)));
});
