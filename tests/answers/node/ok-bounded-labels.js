// A service measures its requests by route, method and kind of status: new pairs come up for hours, but there are no more than 240 of them.
// Durations of the last minutes stand in a ring of histograms, and requests under way become more.
const client = require('prom-client');
const { AsyncLocalStorage } = require('async_hooks');
const rounds = require('./rounds');

const registry = new client.Registry();
const seconds = new client.Histogram({ name: 'request_seconds', help: 'seconds', labelNames: ['route', 'method', 'status'], buckets: [0.01, 0.1, 1, 10], registers: [registry] });
const sizes = new client.Summary({ name: 'answer_bytes', help: 'bytes', labelNames: ['route'], maxAgeSeconds: 600, ageBuckets: 5, registers: [registry] });
const context = new AsyncLocalStorage();
class Minutes {
  constructor(most) { this.most = most; this.ring = []; }
  note(minute, value) {
    if (this.ring.at(-1)?.minute !== minute) this.ring.push({ minute, counts: new Uint32Array(32) });
    this.ring.at(-1).counts[value % 32]++;
    if (this.ring.length > this.most) this.ring.shift();
  }
}
const minutes = new Minutes(30);
const underway = [];
const together = [30, 60, 90, 120];
const methods = ['GET', 'GET', 'GET', 'POST'];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 3000; n++) {
    const number = last++;
    await context.run({ number, user: `user ${number % 77}` }, async () => {
      const route = `/route-${Math.floor((number * number) % (20 + 14 * round)) % 60}`;
      underway.push({ number, route, context: context.getStore(), started: number });
      seconds.observe({ route, method: methods[number % 4], status: number % 29 ? '2xx' : '5xx' }, (number % 100) / 50);
      sizes.observe({ route }, number % 5000);
      minutes.note(Math.floor(number / 60), number);
    });
    while (underway.length > together[round]) underway.shift();
  }
  await registry.metrics();
});
