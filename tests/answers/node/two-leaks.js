// Two leaks at once: orders that are done, and listeners of baskets.
const rounds = require('./rounds');
const { EventEmitter } = require('events');

class Order {
  constructor(n) {
    this.lines = Array.from({ length: 6 }, (_, i) => ({ n, i }));
  }
}
const doneOrders = new Map();
const stockBus = new EventEmitter().setMaxListeners(0);
function basket(n) {
  const goods = new Array(40).fill(n);
  stockBus.on('sold-out', item => goods[item] = null);
}

rounds(round => {
  for (let i = 0; i < 500; i++) {
    doneOrders.set(round * 500 + i, new Order(i));
    basket(i);
  }
});
