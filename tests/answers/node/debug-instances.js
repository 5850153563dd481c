// Each connection makes a logger of its own, and the library keeps all loggers, to be able to switch them on.
const rounds = require('./rounds');
const createDebug = require('tiny-debug');
const { EventEmitter } = require('events');

class Connection extends EventEmitter {
  constructor(id, address) {
    super();
    this.id = id;
    this.log = createDebug(`chat:connection:${id}`);
    this.log('open from', address);
    this.on('message', text => this.log('message of', text.length));
  }
}
class ChatServer {
  constructor() { this.open = new Map(); this.next = 0; }
  accept(address) {
    const connection = new Connection(++this.next, address);
    this.open.set(connection.id, connection);
    connection.on('close', () => this.open.delete(connection.id));
    return connection;
  }
}
const server = new ChatServer();
rounds(async round => {
  for (let n = 0; n < 2000; n++) {
    const connection = server.accept(`10.0.${round}.${n % 250}`);
    connection.emit('message', 'hello');
    connection.emit('close');
  }
});
