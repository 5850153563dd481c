// Every connection listens for changes of the configuration, and nobody takes the listener away.
const { write, text } = require('./write.js');
const { EventEmitter } = require('events');
class Connection {
  constructor(id) { this.id = id; this.inbox = text('message ' + id, 1200); }
}
const bus = new EventEmitter();
bus.setMaxListeners(0);
globalThis.server = { bus };
function accept(id) {
  const connection = new Connection(id);
  bus.on('config-changed', () => { connection.inbox += '.'; });
}
for (let i = 0; i < 900; i++) accept(i);
write();
