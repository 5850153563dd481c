// A stream of events for browsers. Those that went away are still written to.
const rounds = require('./rounds');
const http = require('http');

const subscribers = new Set();
const server = http.createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('data: welcome\n\n');
  subscribers.add({ response, since: Date.now(), topics: [request.url, 'news', 'weather'] });
});
const listening = new Promise(resolve => server.listen(0, resolve));

const visit = port => new Promise(resolve => {
  http.get({ port, path: '/events', agent: false }, response => {
    response.once('data', () => { response.destroy(); setTimeout(resolve, 1); });
  });
});

rounds(async () => {
  await listening;
  for (let i = 0; i < 40; i++) await visit(server.address().port);
});
