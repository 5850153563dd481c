// Templates are compiled when first asked for; there are 120, popular ones come early.
const rounds = require('./rounds');
const http = require('http');
const handlebars = require('handlebars');

const compiled = {};
const page = n => (compiled[n] ||= handlebars.compile(`<h1>{{title}} ${n}</h1>{{#each items}}<li>{{this}}</li>{{/each}}`));
const server = http.createServer((req, res) => res.end(page(Number(req.url.slice(1)))({ title: req.url, items: [1, 2, 3] })));
const ready = new Promise(resolve => server.listen(0, resolve));
server.keepAliveTimeout = 60000;
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const get = path => new Promise((resolve, reject) => {
  http.get({ port: server.address().port, path, agent }, r => r.resume().on('end', resolve)).on('error', reject);
});
let seed = 7;
const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
rounds(async () => {
  await ready;
  for (let i = 0; i < 400; i++) await get(`/${Math.floor(120 * random() ** 2)}`);
});
