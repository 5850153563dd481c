// Exchange rates over HTTP with a cache (jaredwray/cacheable#1685).
import http from 'node:http';
import { createRequire } from 'node:module';
import CacheableRequest from 'cacheable-request';
import keyv from 'keyv';
const rounds = createRequire(import.meta.url)('./rounds');

const server = http.createServer((request, response) => {
  response.setHeader('Cache-Control', 'max-age=300');
  response.end(JSON.stringify({ pair: request.url.slice(1), rate: 1.25 }));
});
await new Promise(done => server.listen(0, done));
const port = server.address().port;

const store = new (keyv.Keyv ?? keyv)();
store.on('error', () => {});
const cacheableRequest = new CacheableRequest(http.request, store);
const request = cacheableRequest.request ? cacheableRequest.request() : cacheableRequest.createCacheableRequest;
const get = path => new Promise((resolve, reject) => {
  const calls = request(new URL(`http://localhost:${port}${path}`), response => {
    let body = '';
    response.on('data', chunk => { body += chunk; });
    response.on('end', () => resolve(JSON.parse(body)));
  });
  calls.on('request', call => call.end());
  calls.on('error', reject);
});

console.warn = () => {};
rounds(async () => {
  for (let i = 0; i < 500; i++) await get(`/EUR-${i % 20}`);
});
