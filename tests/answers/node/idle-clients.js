// Devices connect and say nothing more. Only their connections know them, and no time limit is set.
const rounds = require('./rounds');
const net = require('net');

class DeviceClient {
  constructor(socket) {
    this.buffer = [];
    this.settings = Array.from({ length: 20 }, (_, n) => ({ n, value: `setting ${n}` }));
    socket.on('data', chunk => this.buffer.push(chunk));
    socket.on('error', () => {});
  }
}
const server = net.createServer(socket => new DeviceClient(socket));
const ready = new Promise(resolve => server.listen(0, resolve));
rounds(async () => {
  await ready;
  await Promise.all(Array.from({ length: 120 }, () => new Promise(resolve => {
    const socket = net.connect(server.address().port, () => { socket.write('hello'); resolve(); });
  })));
  await new Promise(resolve => setTimeout(resolve, 50));
});
