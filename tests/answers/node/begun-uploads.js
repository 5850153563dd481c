// Uploads come in parts and are joined at the end. Every third browser goes away before, and what it sent stays in a plain object.
const http = require('http');
const crypto = require('crypto');
const rounds = require('./rounds');

const uploads = {};
const stored = [];
const read = request => new Promise((done, failed) => {
  const chunks = [];
  request.on('data', chunk => chunks.push(chunk)).on('end', () => done(Buffer.concat(chunks))).on('error', failed);
});
async function handle(request, response) {
  const [, , id, part] = request.url.split('/');
  if (request.method === 'POST') {
    const created = crypto.createHash('md5').update(`upload ${Object.keys(uploads).length} ${request.url}`).digest('hex').slice(0, 16);
    uploads[created] = { name: request.headers['x-name'], parts: [], startedAt: Date.now() };
    return response.end(created);
  }
  const upload = uploads[id];
  if (request.method === 'PUT') {
    upload.parts[Number(part)] = await read(request);
    return response.end();
  }
  const bytes = upload.parts.reduce((sum, chunk) => sum + chunk.length, 0);
  delete uploads[id];
  stored.push({ name: upload.name, bytes });
  if (stored.length > 100) stored.shift();
  response.end(String(bytes));
}
const agent = new http.Agent({ keepAlive: true, maxSockets: 3 });
const server = http.createServer((request, response) => { handle(request, response).catch(() => { response.statusCode = 500; response.end(); }); });
const call = (method, path, headers, body) => new Promise((done, failed) => {
  const request = http.request({ port: server.address().port, method, path, agent, headers }, async response => done(String(await read(response))));
  request.on('error', failed).end(body);
});
let last = 0;
server.listen(0, () => rounds(async round => {
  for (let n = 0; n < 150; n++) {
    const number = last++;
    const id = await call('POST', `/uploads/new-${number}`, { 'x-name': `photo-${number}.jpg` });
    for (let part = 0; part < 3; part++) await call('PUT', `/uploads/${id}/${part}`, {}, Buffer.alloc(6000 + part, number));
    if (number % 3) await call('DELETE', `/uploads/${id}`, {});
  }
}));
