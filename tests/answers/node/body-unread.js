// Answers of undici are checked for their status, and their bodies never read: each keeps its connection.
const rounds = require('./rounds');
const http = require('http');
const { Agent, request } = require('undici');

const server = http.createServer((req, res) => {
  res.writeHead(200, { 'content-type': 'application/octet-stream' });
  res.end(Buffer.alloc(200000, 1));
});
const ready = new Promise(resolve => server.listen(0, resolve));
const partnerApi = new Agent({ bodyTimeout: 0, headersTimeout: 0 });
const seen = { ok: 0 };

async function isUp(n) {
  const { statusCode, body } = await request(`http://127.0.0.1:${server.address().port}/health?n=${n}`, { dispatcher: partnerApi });
  if (statusCode === 200) seen.ok++;
  body.on('error', () => {});
}

let n = 0;
rounds(async () => {
  await ready;
  for (let i = 0; i < 60; i++) await isUp(n++);
});
