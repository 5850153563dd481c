// Whoever listens is counted by the stack of calls where that happened, to warn of too many; when a listener goes the count falls to zero and
// its stack stays (microsoft/vscode#329324). Names of the views' functions make each stack another.
const rounds = require('./rounds');

class LeakageMonitor {
  constructor(most) { this.most = most; this.stacks = new Map(); }
  check(stack, listeners) {
    this.stacks.set(stack, (this.stacks.get(stack) ?? 0) + 1);
    if (listeners > this.most) throw new Error(`too many listeners: ${stack}`);
    return () => this.stacks.set(stack, (this.stacks.get(stack) ?? 1) - 1);
  }
}
class Emitter {
  constructor() { this.listeners = new Set(); this.monitor = new LeakageMonitor(2000); }
  event(listener) {
    this.listeners.add(listener);
    const forget = this.monitor.check(new Error().stack.split('\n').slice(2).join('\n'), this.listeners.size);
    return () => { this.listeners.delete(listener); forget(); };
  }
  fire(event) { for (const listener of this.listeners) listener(event); }
}
const saved = new Emitter();
class View {
  constructor(name) {
    this.seen = 0;
    const open = { [name]: () => saved.event(() => { this.seen++; }) };
    this.close = open[name]();
  }
}
const views = [];
const together = [30, 60, 90, 120];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 600; n++) {
    views.push(new View(`view of document ${last++}`));
    while (views.length > together[round]) views.shift().close();
    if (n % 100 === 0) saved.fire({ round, n });
  }
});
