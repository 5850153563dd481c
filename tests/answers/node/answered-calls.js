// Calls over a socket stand in a table by their number until they are answered; then the entry is made null and its key stays
// (elpheria/rpc-websockets#122). Calls under way become more.
const { EventEmitter } = require('events');
const rounds = require('./rounds');

class Socket extends EventEmitter {
  send(text, most) {
    (this.sent ??= []).push(text);
    while (this.sent.length > most) {
      const { id, method } = JSON.parse(this.sent.shift());
      this.emit('message', JSON.stringify({ id, result: { method, ok: true } }));
    }
  }
}
class Client extends EventEmitter {
  constructor(socket) {
    super();
    this.socket = socket;
    this.queue = {};
    this.done = 0;
    socket.on('message', text => {
      const { id, result } = JSON.parse(text);
      this.queue[id].resolve(result);
      this.queue[id] = null;
      this.done++;
    });
  }
  call(id, method, params, most) {
    return new Promise((resolve, reject) => {
      this.queue[id] = { resolve, reject, asked: this.done };
      this.socket.send(JSON.stringify({ id, method, params }), most);
    });
  }
}
const client = new Client(new Socket());
const together = [40, 80, 120, 160];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 4000; n++) {
    client.call(`${(last++).toString(36)}-${round}`, 'price', [n % 50], together[round]);
    if (n % 400 === 0) await new Promise(done => setImmediate(done));
  }
});
