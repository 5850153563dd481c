// Each request makes a computed value of mobx that is kept alive, and so stays an observer of the catalogue.
const rounds = require('./rounds');
const { observable, computed } = require('mobx');

const catalogue = observable({ currency: 'EUR', items: [] });
class PriceList {
  constructor(customer) {
    this.customer = customer;
    this.notes = Array.from({ length: 6 }, (_, n) => `${customer}: ${n}`);
    this.total = computed(() => catalogue.items.length + catalogue.currency.length + this.notes.length, { keepAlive: true });
  }
}
rounds(async round => {
  for (let n = 0; n < 500; n++) new PriceList(`customer-${round}-${n}`).total.get();
});
