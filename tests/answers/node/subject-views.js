// Views subscribe to a BehaviorSubject of rxjs, and forget to unsubscribe when they are closed.
const rounds = require('./rounds');
const { BehaviorSubject } = require('rxjs');
const { map, distinctUntilChanged } = require('rxjs/operators');

const exchangeRate$ = new BehaviorSubject(1);
class CartView {
  constructor(id) {
    this.id = id;
    this.items = Array.from({ length: 15 }, (_, n) => ({ sku: `${id}-${n}`, price: n }));
  }
  open() {
    this.subscription = exchangeRate$.pipe(map(rate => rate * 100), distinctUntilChanged())
      .subscribe(rate => { this.total = rate * this.items.length; });
  }
  close() { this.items.length = 1; }
}

let n = 0;
rounds(async round => {
  for (let i = 0; i < 400; i++) {
    const view = new CartView(n++);
    view.open();
    view.close();
  }
  exchangeRate$.next(1 + round / 100);
});
