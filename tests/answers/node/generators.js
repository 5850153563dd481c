// Steps of jobs are generators; those that wait for a colour nobody gives stay in the queue.
const rounds = require('./rounds');

class Scheduler {
  constructor() {
    this.parked = [];
  }
  start(steps) {
    steps.next();
    this.parked.push(steps);
  }
}
const scheduler = new Scheduler();
function* paint(n) {
  const pixels = new Array(50).fill(n);
  const colour = yield 'colour';
  return pixels.fill(colour);
}

rounds(round => {
  for (let i = 0; i < 600; i++) scheduler.start(paint(round * 600 + i));
});
