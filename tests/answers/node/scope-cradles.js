// Each request has a scope of the container. A mailer that lives as long as the program takes the scope's proxy to find the user later.
const rounds = require('./rounds');
const { createContainer, asClass, asValue, Lifetime } = require('awilix');

class Basket {
  constructor({ user }) { this.user = user; this.lines = Array.from({ length: 12 }, (_, n) => ({ n, article: `article ${n} of ${user.name}` })); }
}
class Mailer {
  constructor() { this.outbox = []; this.senders = []; }
  greet(cradle, text) { this.senders.push(cradle); this.outbox.push(text); if (this.outbox.length > 20) this.outbox.shift(); }
}
class OrderService {
  constructor(cradle) { this.cradle = cradle; this.basket = cradle.basket; }
  place() { this.cradle.mailer.greet(this.cradle, `thanks, ${this.basket.user.name}`); return this.basket.lines.length; }
}
const container = createContainer();
container.register({
  mailer: asClass(Mailer, { lifetime: Lifetime.SINGLETON }),
  basket: asClass(Basket, { lifetime: Lifetime.SCOPED }),
  orders: asClass(OrderService, { lifetime: Lifetime.SCOPED }),
});
const mailer = container.resolve('mailer');
rounds(round => {
  for (let n = 0; n < 300; n++) {
    const scope = container.createScope();
    scope.register({ user: asValue({ name: `user-${round}-${n}` }) });
    scope.resolve('orders').place();
  }
  return mailer.outbox.length;
});
