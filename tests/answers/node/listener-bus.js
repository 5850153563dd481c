// Each connection listens to a bus that all share; nobody takes the listener away.
const rounds = require('./rounds');
const { EventEmitter } = require('events');

const priceFeed = new EventEmitter().setMaxListeners(0);
class Connection {
  constructor(id) {
    this.id = id;
    this.inbox = new Array(30).fill(id);
  }
  open() {
    priceFeed.on('price', value => this.inbox[0] = value);
  }
}

rounds(round => {
  for (let i = 0; i < 600; i++) new Connection(round * 1000 + i).open();
  priceFeed.emit('price', round);
});
