// Orders wait for the reply of a shop on one bus: each adds a listener that is bound to the context of its request, and those whose reply has
// come under another name stay. Orders under way become more, and the log has 200 lines.
const { EventEmitter } = require('events');
const { AsyncLocalStorage, AsyncResource } = require('async_hooks');
const rounds = require('./rounds');

const context = new AsyncLocalStorage();
class Order {
  constructor(number) { this.number = number; this.state = 'open'; this.lines = Array.from({ length: 3 }, (_, n) => ({ article: `a${n + number % 9}`, count: n + 1 })); }
}
class Desk {
  constructor() { this.bus = new EventEmitter(); this.bus.setMaxListeners(0); this.log = []; this.underway = []; }
  place(number) {
    context.run({ request: `r${number}`, user: `user ${number % 50}` }, () => {
      const order = new Order(number);
      this.bus.once(`reply ${number}`, AsyncResource.bind(answer => { order.state = answer; this.note(`${context.getStore().request}: ${answer}`); }));
      this.underway.push(number);
    });
  }
  note(line) { this.log.push(line); if (this.log.length > 200) this.log.shift(); }
  answer(most) {
    while (this.underway.length > most) {
      const number = this.underway.shift();
      this.bus.emit(number % 4 ? `reply ${number}` : `late reply ${number}`, 'sent');
    }
  }
}
const desk = new Desk();
const together = [40, 80, 120, 160];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 1600; n++) {
    desk.place(last++);
    desk.answer(together[round]);
    if (n % 200 === 0) await Bun.sleep(0);
  }
});
