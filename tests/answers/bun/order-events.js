// Each view of an order listens to a feed; none stops.
const rounds = require('./rounds');
const { EventEmitter } = require('events');

class OrderView {
  constructor(id) { this.id = id; this.lines = Array.from({ length: 10 }, (_, n) => `line ${n} of ${id}`); }
  show(price) { this.price = price; }
}
const orderFeed = new EventEmitter();
orderFeed.setMaxListeners(0);
rounds(round => {
  for (let n = 0; n < 800; n++) {
    const view = new OrderView(`${round}-${n}`);
    orderFeed.on('price', price => view.show(price));
  }
  orderFeed.emit('price', round);
});
