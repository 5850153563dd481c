// A subject replays to those that come late, and has no bound.
const rounds = require('./rounds');
const { ReplaySubject, map } = require('rxjs');

class PriceTick { constructor(sku, price) { this.sku = sku; this.price = price; this.at = [price, price + 1]; } }
class PriceService {
  constructor() { this.ticks$ = new ReplaySubject(); this.prices$ = this.ticks$.pipe(map(tick => tick.price)); }
  tick(sku, price) { this.ticks$.next(new PriceTick(sku, price)); }
}
const priceService = new PriceService();
priceService.prices$.subscribe(() => {});
rounds(round => { for (let n = 0; n < 2000; n++) priceService.tick(`sku-${n % 30}`, round * 2000 + n); });
