// The first dump is before anything is served. Then pages are kept up to a limit, which the first load reaches.
const rounds = require('./rounds');
const http = require('http');

const limit = 400;
const pageCache = new Map();
function render(path) {
  let page = pageCache.get(path);
  if (!page) {
    page = { path, html: `<h1>${path}</h1>${'<p>text</p>'.repeat(30)}`, parts: Array.from({ length: 10 }, (_, n) => `${path}#${n}`) };
    pageCache.set(path, page);
    if (pageCache.size > limit) pageCache.delete(pageCache.keys().next().value);
  }
  return page.html;
}
let server;
let n = 0;
rounds(async round => {
  if (round < 2) return;
  if (!server) {
    server = http.createServer((req, res) => res.end(render(req.url)));
    await new Promise(resolve => server.listen(0, resolve));
  }
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  for (let i = 0; i < 700; i++) {
    await new Promise((resolve, reject) => {
      http.get({ port: server.address().port, path: `/${n++}`, agent }, r => r.resume().on('end', resolve)).on('error', reject);
    });
  }
  agent.destroy();
});
