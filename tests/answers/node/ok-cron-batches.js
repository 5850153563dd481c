// Events are collected in lots by a cargo of async; jobs by the clock (croner) write sums and arm themselves anew; what fails waits a little longer each time, and is given up after five tries.
const rounds = require('./rounds');
const async = require('async');
const { Cron } = require('croner');

class Warehouse {
  constructor() {
    this.written = 0;
    this.calls = 0;
  }
  async write(lot) {
    await new Promise(resolve => setTimeout(resolve, 2));
    if (this.calls++ % 9 === 4) throw new Error('warehouse is busy');
    this.written += lot.length;
  }
}

class Delivery {
  constructor(lot) {
    this.lot = lot;
    this.tries = 0;
  }
}

class Collector {
  constructor(warehouse) {
    this.warehouse = warehouse;
    this.retries = new Set();
    this.lost = 0;
    this.cargo = async.cargo(async tasks => this.deliver(new Delivery(tasks)), 50);
  }
  add(event) { this.cargo.push(event); }
  async deliver(delivery) {
    try {
      await this.warehouse.write(delivery.lot);
      this.retries.delete(delivery);
    } catch (error) {
      if (++delivery.tries === 5) { this.retries.delete(delivery); this.lost++; return; }
      this.retries.add(delivery);
      setTimeout(() => this.deliver(delivery), 2 ** delivery.tries * 10);
    }
  }
}

class MinuteSums {
  constructor() {
    this.sums = new Map();
    this.written = [];
  }
  add(event) { this.sums.set(event.shop, (this.sums.get(event.shop) ?? 0) + event.sum); }
  rotate() {
    this.written.push({ at: Date.now(), sums: Object.fromEntries(this.sums) });
    if (this.written.length > 10) this.written.shift();
    this.sums.clear();
  }
}

const collector = new Collector(new Warehouse());
const sums = new MinuteSums();
const jobs = [
  new Cron('* * * * * *', { name: 'sums' }, () => sums.rotate()),
  new Cron('*/2 * * * * *', { name: 'lag', protect: true }, async () => { await new Promise(resolve => setTimeout(resolve, 5)); }),
];
const load = [1500, 4000, 2500, 5200];
rounds(async round => {
  for (let n = 0; n < load[round]; n++) {
    const event = { shop: `shop ${n % 60}`, sum: n % 100, lines: [`line ${n}`, `round ${round}`] };
    collector.add(event);
    sums.add(event);
    if (n % 500 === 499) await new Promise(resolve => setTimeout(resolve, 60));
  }
  for (let n = 0; n < 400; n++) collector.add({ shop: `late ${n % 60}`, sum: 1, lines: [] });
});
