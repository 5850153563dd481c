// A transfer waits for the word that its lot is through, or for a moment, whatever comes first. For the word it waits by once() of the hub of all lots; when the moment was first, the hub keeps what waits.
const rounds = require('./rounds');
const { EventEmitter, once } = require('events');
const { setTimeout: sleep } = require('timers/promises');

class LotHub extends EventEmitter {
  constructor() {
    super();
    this.setMaxListeners(0);
    this.passed = 0;
  }
  pass(lot) {
    this.passed++;
    this.emit('lot', lot);
  }
}

class Transfer {
  constructor(number, rows) {
    this.number = number;
    this.rows = rows;
    this.state = 'new';
  }
  sum() { return this.rows.reduce((sum, row) => sum + row.cents, 0); }
}

class Clearing {
  constructor(hub) {
    this.hub = hub;
    this.outcomes = { early: 0, late: 0 };
    this.recent = [];
  }
  async clear(transfer) {
    const through = once(this.hub, `through:${transfer.number % 12}`).then(([lot]) => {
      transfer.state = `in ${lot}`;
      return 'early';
    });
    const outcome = await Promise.race([through, sleep(1, 'late')]);
    this.outcomes[outcome]++;
    this.recent.push(transfer.number);
    if (this.recent.length > 50) this.recent.shift();
    this.hub.pass(`lot of ${transfer.number}`);
    return transfer.sum();
  }
}

const hub = new LotHub();
hub.on('lot', () => {});
const clearing = new Clearing(hub);
let cleared = 0;
rounds(async round => {
  for (let n = 0; n < 400; n += 20) {
    const sums = await Promise.all(Array.from({ length: 20 }, (_, i) => {
      const rows = Array.from({ length: 12 }, (_, line) => ({ account: `account ${round}-${n + i}-${line}`, cents: line * 7 }));
      return clearing.clear(new Transfer(n + i, rows));
    }));
    cleared += sums.length;
  }
});
