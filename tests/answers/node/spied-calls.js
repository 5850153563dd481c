// A staging server sends no mails: a function of the test runner stands in for it, and remembers all calls.
const rounds = require('./rounds');
const { mock } = require('node:test');

const transport = { send: mock.fn(message => ({ accepted: [message.to], id: message.id })) };
class Mailer {
  constructor(transport) { this.transport = transport; }
  orderConfirmed(order) {
    return this.transport.send({ id: order.id, to: order.email, html: '<p>Thank you</p>', lines: order.lines.map(line => `${line.count} x ${line.sku}`) });
  }
}
class Shop {
  constructor(mailer) { this.mailer = mailer; this.sold = 0; }
  checkout(id) {
    const order = { id, email: `customer-${id}@example.org`, lines: Array.from({ length: 5 }, (_, n) => ({ sku: `sku-${n}`, count: n + 1 })) };
    this.sold += order.lines.length;
    this.mailer.orderConfirmed(order);
  }
}
const shop = new Shop(new Mailer(transport));
rounds(round => { for (let n = 0; n < 400; n++) shop.checkout(round * 400 + n); });
