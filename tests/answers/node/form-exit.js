// A service that takes forms (ortexx/express-form-data#16).
const express = require('express');
const http = require('http');
const formData = require('express-form-data');
const rounds = require('./rounds');

const app = express();
app.use(formData.parse({ autoClean: true }));
app.get('/health', (request, response) => response.json({ up: true }));
app.post('/claims', (request, response) => response.json({ claim: request.body.claim }));
const server = http.createServer(app);

const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const call = (method, path, headers, body) => new Promise((resolve, reject) => {
  const request = http.request({ port: server.address().port, method, path, headers, agent }, response => {
    response.resume().on('end', resolve);
  });
  request.on('error', reject);
  request.end(body);
});

const form = claim => `--edge\r\nContent-Disposition: form-data; name="claim"\r\n\r\n${claim}\r\n--edge--\r\n`;
rounds(async round => {
  if (!server.listening) await new Promise(done => server.listen(0, done));
  for (let i = 0; i < 400; i++) {
    await call('POST', '/claims', { 'Content-Type': 'multipart/form-data; boundary=edge' }, form(`${round}-${i}`));
    if (i % 10 === 0) await call('GET', '/health');
  }
});
