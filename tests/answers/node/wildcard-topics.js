// Parts of a shop speak by topics with wildcards. Each order's tracker listens to three topics of its order, and nobody stops it.
const rounds = require('./rounds');
const { EventEmitter2 } = require('eventemitter2');

const topics = new EventEmitter2({ wildcard: true, delimiter: '.', maxListeners: 0 });
class OrderTracker {
  constructor(shop, number) {
    this.number = number;
    this.history = [];
    topics.on(`order.${shop}.${number}.paid`, at => this.note('paid', at));
    topics.on(`order.${shop}.${number}.sent`, at => this.note('sent', at));
    topics.on(`order.${shop}.${number}.returned`, at => this.note('returned', at));
  }
  note(what, at) { this.history.push({ what, at }); }
}
let seen = 0;
topics.on('order.*.*.paid', () => seen++);
rounds(round => {
  for (let n = 0; n < 300; n++) {
    const shop = `shop${n % 6}`, number = round * 1000 + n;
    new OrderTracker(shop, number);
    topics.emit(`order.${shop}.${number}.paid`, n);
    topics.emit(`order.${shop}.${number}.sent`, n + 1);
  }
});
