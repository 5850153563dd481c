// Downloads stand in a Set while they are under way, and are taken out when they end; those that break off end with "aborted" and stay.
const http = require('http');
const { EventEmitter } = require('events');
const rounds = require('./rounds');

class Downloads extends EventEmitter {
  constructor(agent) { super(); this.agent = agent; this.active = new Set(); this.history = []; }
  start(url) {
    const download = { url, received: 0, chunks: [], response: null };
    this.active.add(download);
    return new Promise(done => {
      http.get(url, { agent: this.agent }, response => {
        download.response = response;
        response.on('data', chunk => { download.received += chunk.length; download.chunks.push(chunk); });
        response.on('end', () => { this.finish(download); done(true); });
        response.on('error', () => done(false));
      }).on('error', () => done(false));
    });
  }
  finish(download) {
    this.active.delete(download);
    this.history.push({ url: download.url, received: download.received });
    if (this.history.length > 50) this.history.shift();
  }
}
const files = http.createServer((request, response) => {
  response.writeHead(200, { 'content-length': 9000 });
  response.write(Buffer.alloc(3000, request.url));
  if (request.url.endsWith('0')) setTimeout(() => request.socket.destroy(), 2);
  else response.end(Buffer.alloc(6000, 1));
});
const downloads = new Downloads(new http.Agent({ keepAlive: false }));
let last = 0;
files.listen(0, () => rounds(async () => {
  const base = `http://127.0.0.1:${files.address().port}`;
  for (let n = 0; n < 60; n++) {
    await Promise.all(Array.from({ length: 10 }, () => downloads.start(`${base}/file-${last++}`)));
  }
}));
