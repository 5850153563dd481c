// A client of a store lost its connection; commands wait in a ring that doubles, each with its promise.
const rounds = require('./rounds');

class Ring {
  constructor() { this.slots = Array(16); this.head = this.tail = 0; }
  push(value) {
    this.slots[this.tail] = value;
    this.tail = (this.tail + 1) & (this.slots.length - 1);
    if (this.tail !== this.head) return;
    const { length } = this.slots;
    this.slots = [...this.slots.slice(this.head), ...this.slots.slice(0, this.head)];
    this.slots.length = length * 2;
    this.head = 0;
    this.tail = length;
  }
}
class Command {
  constructor(name, args) {
    this.name = name;
    this.args = args;
    this.promise = new Promise((resolve, reject) => { this.resolve = resolve; this.reject = reject; });
  }
}
class StoreClient {
  constructor() { this.status = 'reconnecting'; this.offlineQueue = new Ring(); }
  send(name, ...args) { const command = new Command(name, args); this.offlineQueue.push(command); return command.promise; }
}
const store = new StoreClient();
rounds(round => {
  for (let n = 0; n < 900; n++) store.send('set', `cart:${round}:${n}`, JSON.stringify({ n, items: [n, n + 1] }));
});
