// Answers of a shop's interface are shared and replayed by path, and stay.
const rounds = require('./rounds');
const { defer, from, firstValueFrom } = require('rxjs');
const { shareReplay, map } = require('rxjs/operators');

class ProductApi {
  products$ = {};
  product(id) {
    return this.products$[id] ??= defer(() => from(this.load(id))).pipe(map(p => ({ ...p, price: p.cents / 100 })), shareReplay(1));
  }
  async load(id) { return { id, cents: 1234, texts: Array.from({ length: 8 }, (_, i) => `text ${i} of ${id}`) }; }
}
const api = new ProductApi();
rounds(async round => { for (let n = 0; n < 400; n++) await firstValueFrom(api.product(`p-${round}-${n}`)); });
