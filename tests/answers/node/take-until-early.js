// Screens end their streams by takeUntil, which stands before switchMap. What switchMap has begun last goes on after the screen was closed, and the ticker of prices keeps it.
const rounds = require('./rounds');
const { Subject, BehaviorSubject, from, of } = require('rxjs');
const { takeUntil, switchMap, map, filter, scan, startWith, tap } = require('rxjs/operators');

class PriceTicker {
  constructor() {
    this.ticks = new Subject();
    this.status = new BehaviorSubject('open');
  }
  tick(article, cents) { this.ticks.next({ article, cents }); }
  of(article) { return this.ticks.pipe(filter(tick => tick.article === article), map(tick => tick.cents)); }
}

class Basket {
  constructor(id) {
    this.id = id;
    this.lines = Array.from({ length: 15 }, (_, n) => ({ article: n, title: `line ${n} of ${id}` }));
  }
}

class PriceScreen {
  constructor(ticker, basket) {
    this.ticker = ticker;
    this.basket = basket;
    this.chosen = new Subject();
    this.closed = new Subject();
    this.shown = [];
  }
  open() {
    this.ticker.status.pipe(takeUntil(this.closed)).subscribe(status => { this.status = status; });
    this.chosen.pipe(
      takeUntil(this.closed),
      switchMap(article => this.ticker.of(article).pipe(startWith(0), scan((best, cents) => Math.max(best, cents), 0))),
      tap(best => this.shown.push(best)),
    ).subscribe(best => { this.best = best; });
    of(...this.basket.lines.slice(0, 3)).pipe(map(line => line.article)).subscribe(article => this.chosen.next(article));
  }
  close() {
    this.closed.next();
    this.closed.complete();
    this.shown.length = 0;
  }
}

const ticker = new PriceTicker();
const open = [];
rounds(async round => {
  for (let n = 0; n < 200; n++) {
    const screen = new PriceScreen(ticker, new Basket(`${round}-${n}`));
    screen.open();
    open.push(screen);
    ticker.tick(n % 20, n);
    if (open.length > 5) open.shift().close();
  }
  from([1, 2, 3]).subscribe(article => ticker.tick(article, round));
});
