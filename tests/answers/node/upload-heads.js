// The first bytes of each upload are kept to find its type; they are a part of the whole buffer.
const rounds = require('./rounds');
const http = require('http');

const fileHeads = new Map();
const server = http.createServer((req, res) => {
  const chunks = [];
  req.on('data', chunk => chunks.push(chunk));
  req.on('end', () => {
    const whole = Buffer.concat(chunks);
    fileHeads.set(req.url, whole.subarray(0, 16));
    res.end(String(whole.length));
  });
});
const ready = new Promise(resolve => server.listen(0, resolve));
const put = (path, body) => new Promise((resolve, reject) => {
  const request = http.request({ port: server.address().port, path, method: 'PUT' }, r => r.resume().on('end', resolve));
  request.on('error', reject);
  request.end(body);
});

let n = 0;
rounds(async () => {
  await ready;
  for (let i = 0; i < 60; i++) await put(`/upload/${n++}`, Buffer.alloc(60000, i));
});
