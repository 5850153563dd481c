// Checks of a shop replace its parts by stubs of sinon, and restore nothing: the default sandbox remembers each.
const rounds = require('./rounds');
const sinon = require('sinon');

class PaymentGateway {
  constructor(merchant) { this.merchant = merchant; this.receipts = []; }
  charge(cents) { this.receipts.push({ cents, at: Date.now() }); return true; }
  refund(cents) { this.receipts.push({ cents: -cents, at: Date.now() }); return true; }
}
class CheckoutProbe {
  constructor(name) { this.name = name; }
  run(cents) {
    const gateway = new PaymentGateway(`merchant of ${this.name}`);
    const charge = sinon.stub(gateway, 'charge').returns(true);
    const clock = sinon.spy(() => cents);
    gateway.charge(clock());
    return charge.calledOnce;
  }
}
class Monitor {
  constructor() { this.passed = 0; }
  probe(name, cents) { if (new CheckoutProbe(name).run(cents)) this.passed++; }
}
const monitor = new Monitor();
rounds(round => { for (let n = 0; n < 150; n++) monitor.probe(`probe ${round}-${n}`, n * 10); });
