// Views subscribe to subjects of rxjs, and unsubscribe when they are closed; ten are open at a time.
const rounds = require('./rounds');
const { Subject, interval, takeUntil, map, scan } = require('rxjs');

const clicks = new Subject();
class View {
  constructor(n) { this.n = n; this.closed$ = new Subject(); clicks.pipe(map(c => c + n), scan((a, b) => a + b, 0), takeUntil(this.closed$)).subscribe(v => { this.sum = v; }); }
  close() { this.closed$.next(); this.closed$.complete(); }
}
const open = [];
let n = 0;
rounds(async () => {
  for (let i = 0; i < 600; i++) {
    open.push(new View(n++));
    clicks.next(i);
    if (open.length > 10) open.shift().close();
  }
});
