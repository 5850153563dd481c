// Requests are summed by route and status, of which there are some hundred; routes come up one after another while people begin to use them.
const http = require('http');
const rounds = require('./rounds');

function createSums() {
  const byRoute = Object.create(null);
  return {
    add(route, status, ms) {
      const sum = byRoute[`${route} ${status}`] ??= { count: 0, buckets: new Array(24).fill(0), slowest: null };
      sum.count++;
      sum.buckets[Math.min(23, ms >> 3)]++;
      if (!sum.slowest || sum.slowest.ms < ms) sum.slowest = { ms, at: new Date(1.7e12 + ms) };
    },
    text: () => Object.entries(byRoute).map(([key, { count }]) => `${key} ${count}`).join('\n'),
  };
}
const sums = createSums();
const server = http.createServer((request, response) => {
  if (request.url === '/sums') return response.end(sums.text());
  sums.add(request.url.split('?')[0], request.url.length % 9 ? 200 : 404, request.url.length * 3 % 150);
  response.end('ok');
});
const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
const get = path => new Promise((done, failed) => {
  http.get({ port: server.address().port, path, agent }, response => response.resume().on('end', done)).on('error', failed);
});
const used = [30, 55, 75, 90];
server.listen(0, () => rounds(async round => {
  for (let n = 0; n < 400; n++) await get(`/route-${n % used[round]}?page=${n}`);
  await get('/sums');
}));
