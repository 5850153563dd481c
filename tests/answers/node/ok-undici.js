// fetch and undici with connections that are kept, bodies read.
const rounds = require('./rounds');
const http = require('http');
const { Agent, request } = require('undici');

const server = http.createServer((req, res) => { res.setHeader('content-type', 'application/json'); res.end(JSON.stringify({ url: req.url, list: [1, 2, 3] })); });
const ready = new Promise(resolve => server.listen(0, resolve));
const dispatcher = new Agent({ connections: 4 });
let n = 0;
rounds(async () => {
  await ready;
  const base = `http://127.0.0.1:${server.address().port}`;
  for (let i = 0; i < 150; i++) {
    const { body } = await request(`${base}/${n++}`, { dispatcher });
    await body.json();
    await (await fetch(`${base}/fetch/${n++}`)).text();
  }
});
