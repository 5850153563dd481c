// A middleware keeps the last requests for the page of the operators; it keeps all of them, with their bodies, since nobody cuts the list.
const express = require('express');
const http = require('http');
const rounds = require('./rounds');

function requestHistory() {
  const history = [];
  const middleware = (req, res, next) => {
    const started = process.hrtime.bigint();
    const entry = { req, status: 0, took: 0 };
    history.push(entry);
    res.on('finish', () => {
      entry.status = res.statusCode;
      entry.took = Number(process.hrtime.bigint() - started);
    });
    next();
  };
  middleware.page = () => history.slice(-50).map(({ req, status, took }) => `${req.method} ${req.originalUrl} ${status} ${took}`).join('\n');
  return middleware;
}
const app = express();
const seen = requestHistory();
app.use(express.json());
app.use(seen);
app.post('/orders/:id', (req, res) => res.json({ id: req.params.id, lines: req.body.lines.length }));
app.get('/admin/requests', (req, res) => res.type('text').send(seen.page()));

const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const call = (port, path, body) => new Promise((done, failed) => {
  const request = http.request({ port, path, agent, method: body ? 'POST' : 'GET', headers: { 'content-type': 'application/json' } },
    response => response.resume().on('end', done));
  request.on('error', failed).end(body && JSON.stringify(body));
});
let last = 0;
const server = app.listen(0, () => rounds(async round => {
  const { port } = server.address();
  for (let n = 0; n < 400; n++) {
    await call(port, `/orders/${last++}`, { lines: Array.from({ length: 1 + n % 5 }, (_, i) => ({ article: `article ${i}`, count: n % 7 })) });
  }
  await call(port, '/admin/requests');
}));
