// To end in order, a server knows its open sockets; it forgets none that was closed.
const rounds = require('./rounds');
const net = require('net');

class GracefulServer {
  constructor() {
    this.sockets = new Set();
    this.server = net.createServer(socket => { this.sockets.add(socket); socket.on('error', () => {}); socket.end('220 ready\r\n'); });
  }
  listen() { return new Promise(resolve => this.server.listen(0, resolve)); }
  stop() { for (const socket of this.sockets) socket.destroy(); this.server.close(); }
}
const smtp = new GracefulServer();
const greet = () => new Promise((resolve, reject) => {
  const socket = net.connect(smtp.server.address().port);
  socket.on('data', () => {});
  socket.on('close', resolve);
  socket.on('error', reject);
});
rounds(async round => {
  if (round === 0) await smtp.listen();
  for (let n = 0; n < 150; n++) await greet();
});
