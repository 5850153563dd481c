// Each question to the time servers opens a socket of its own; when no answer comes it is forgotten, and stays open.
const rounds = require('./rounds');
const dgram = require('dgram');

class TimeQuery {
  constructor(host) { this.host = host; this.samples = Array.from({ length: 16 }, (_, n) => ({ n, host, offset: 0 })); }
  ask(port) {
    const socket = dgram.createSocket('udp4');
    socket.on('message', message => this.answered(message, socket));
    return new Promise(resolve => socket.send(Buffer.alloc(48, 0x1b), port, '127.0.0.1', () => resolve()));
  }
  answered(message, socket) { this.samples[0].offset = message.length; socket.close(); }
}
const silent = dgram.createSocket('udp4');
const bound = new Promise(resolve => silent.bind(0, '127.0.0.1', resolve));
rounds(async round => {
  await bound;
  const { port } = silent.address();
  for (let n = 0; n < 100; n++) await new TimeQuery(`time-${round}-${n}.example.org`).ask(port);
});
