// Clients open a stream for the changes of an account and forget it when its window is closed, but never end it.
const rounds = require('./rounds');
const http2 = require('http2');

class AccountFeed {
  constructor() {
    this.server = http2.createServer({ settings: { maxConcurrentStreams: 100000 } });
    this.server.on('stream', (stream, headers) => this.open(stream, headers[':path']));
  }
  open(stream, path) {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    stream.write(JSON.stringify({ account: path.slice(10), balance: 100 }));
  }
  listen() { return new Promise(resolve => this.server.listen(0, () => resolve(this.server.address().port))); }
}
class AccountWindow {
  constructor(channel, account) {
    this.rows = Array.from({ length: 10 }, (_, n) => ({ n, account }));
    this.call = channel.request({ ':path': `/accounts/${account}` });
  }
  shown() { return new Promise(resolve => this.call.on('data', text => { this.balance = text; resolve(); })); }
}
const feed = new AccountFeed();
const connected = feed.listen().then(port => http2.connect(`http://localhost:${port}`));
rounds(async round => {
  const channel = await connected;
  for (let n = 0; n < 120; n++) await new AccountWindow(channel, round * 120 + n).shown();
});
