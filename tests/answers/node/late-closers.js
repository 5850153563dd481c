// A server of lines has its connections in a Set and takes out those that end; those that are reset never do. More are open with the load.
const net = require('net');
const rounds = require('./rounds');

class LineServer {
  constructor() {
    this.peers = new Set();
    this.server = net.createServer(socket => this.accept(socket));
  }
  accept(socket) {
    const peer = { socket, name: null, lines: [], since: Date.now() };
    this.peers.add(peer);
    socket.on('data', data => {
      peer.name ??= String(data).trim();
      peer.lines.push(...String(data).split('\n').filter(Boolean));
      socket.write('ok\n');
    });
    socket.on('end', () => this.peers.delete(peer));
    socket.on('error', () => {});
  }
}
const lines = new LineServer();
const open = [];
const together = [10, 25, 40, 55];
let last = 0;
lines.server.listen(0, () => rounds(async round => {
  for (let n = 0; n < 220; n++) {
    const client = net.connect(lines.server.address().port);
    await new Promise(done => client.once('connect', done));
    client.write(`client ${last++}\nhello\n`);
    await new Promise(done => client.once('data', done));
    open.push(client);
    while (open.length > together[round]) {
      const gone = open.shift();
      if (last % 2) gone.end();
      else gone.resetAndDestroy();
    }
  }
  await new Promise(done => setTimeout(done, 50));
}));
