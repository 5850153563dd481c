// A session to a backend is opened for each shop and never closed.
const rounds = require('./rounds');
const http2 = require('http2');

const server = http2.createServer();
server.on('stream', stream => { stream.respond({ ':status': 200 }); stream.end('fine'); });
const listening = new Promise(resolve => server.listen(0, resolve));

class Backend {
  constructor(port, shop) {
    this.shop = shop;
    this.prices = new Float64Array(200).fill(shop);
    this.session = http2.connect(`http://localhost:${port}`);
    this.session.on('error', () => { this.shop = null; });
  }
  ask() {
    return new Promise(resolve => {
      const stream = this.session.request({ ':path': `/shops/${this.shop}` });
      stream.on('end', resolve);
      stream.resume();
    });
  }
}

rounds(async round => {
  await listening;
  for (let i = 0; i < 20; i++) await new Backend(server.address().port, round * 100 + i).ask();
});
