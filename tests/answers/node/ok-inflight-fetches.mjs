// Requests for the same article share one promise until it settles; slow articles take longer, and more of them are under way from round to
// round. Retries wait on timers, breakers count failures per host in a sliding window.
import { setTimeout as sleep } from 'node:timers/promises';
import rounds from './rounds.js';

class Breaker {
  constructor(host) { this.host = host; this.window = []; }
  note(ok) { this.window.push({ ok, at: performance.now() }); if (this.window.length > 20) this.window.shift(); }
}
class Articles {
  constructor() { this.inflight = new Map(); this.breakers = new Map(); this.slow = []; this.loaded = 0; }
  get(id) {
    let promise = this.inflight.get(id);
    if (!promise) {
      promise = this.load(id).finally(() => { this.inflight.delete(id); this.loaded++; });
      this.inflight.set(id, promise);
    }
    return promise;
  }
  async load(id) {
    const host = `host-${id % 12}`;
    if (!this.breakers.has(host)) this.breakers.set(host, new Breaker(host));
    const breaker = this.breakers.get(host);
    if (id % 9 === 0) await sleep(1);
    const body = await new Promise(resolve => this.slow.push({ id, resolve }));
    breaker.note(id % 5 !== 0);
    return { id, body, host };
  }
  answer(most) { while (this.slow.length > most) { const { id, resolve } = this.slow.shift(); resolve(`body of ${id}`); } }
}
const articles = new Articles();
const together = [60, 140, 220, 300];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 1500; n++) {
    articles.get(last++);
    if (n % 3 === 0) articles.get(last - 1);
    articles.answer(together[round]);
    if (n % 50 === 0) await sleep(0);
  }
  await sleep(20);
  articles.answer(together[round]);
});
