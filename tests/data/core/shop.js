'use strict';
// A small shop that dies: known numbers of objects of a few classes, and four frames with arguments.
class Item { constructor(sku, price) { this.sku = sku; this.price = price; } }
class Order {
  #token;
  constructor(id, customer) {
    this.id = id; this.customer = customer; this.total = id + 0.5;
    this.items = [new Item('sku-' + id, id * 100), new Item('gift', 0)];
    this.#token = 'tok' + id;
  }
}
class RushOrder extends Order { constructor(id, customer) { super(id, customer); this.rush = true; } }
const long = 'All orders of this shop are kept in one array. '.repeat(40);
const shop = {
  orders: Array.from({ length: 40 }, (_, i) => new Order(i, 'customer ' + i)),
  rush: Array.from({ length: 7 }, (_, i) => new RushOrder(100 + i, 'rusher')),
  byCustomer: new Map([['ann', 1], ['bob', { note: 'pays late' }]]), tags: new Set(['new', 2.5, null]),
  notes: new WeakMap(), prices: [0.5, , 2.5], holes: ['a', , 'c'], sparse: [], big: 123456789012345678901234567890n,
  opened: new Date(86400000), pattern: /sku-(\d+)/gi, long, slice: long.slice(5, 45), joined: long + '!',
  greek: '\u03b1\u03b2 lone:\ud800', bytes: new Uint8Array(5000), frozen: Object.freeze([1, 'two']),
  dictionary: {}, symbol: Symbol('mark'), later: Promise.resolve('done'),
};
shop.sparse[70000] = 'far'; shop.notes.set(shop.orders[0], { why: 'first' });
for (let i = 0; i < 200; i++) shop.dictionary['k' + i] = i; delete shop.dictionary.k7;
shop.closures = [1, 2, 3].map((n) => { const held = { n }, name = 'c' + n; return function count(by) { return held.n + by + name.length; }; });
globalThis.shop = shop;
function pay(order, amount, how) { if (global.gc) global.gc(); process.abort(); return order.total - amount - how.length; }
function checkout(order) { return pay(order, 41, 'by card', order.items) + 1; }
class Desk { constructor(order) { this.order = order; this.paid = checkout(order); } }
setTimeout(function open(desks) { return new Desk(shop.rush[desks]); }, 1, 3);
