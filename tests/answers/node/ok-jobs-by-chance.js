// Jobs come in bursts and are worked off in the order of their time; how many wait when a dump is taken is chance.
const rounds = require('./rounds');

class Job { constructor(n, due) { this.n = n; this.due = due; this.payload = { text: `job ${n}`, parts: [n, n + 1] }; } }
class Scheduler {
  queue = [];
  done = 0;
  add(job) { this.queue.push(job); this.queue.sort((a, b) => a.due - b.due); }
  run(now) { while (this.queue.length && this.queue[0].due <= now) { this.queue.shift(); this.done++; } }
}
const scheduler = new Scheduler();
let seed = 3;
const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
let now = 0;
let n = 0;
rounds(async () => {
  for (let i = 0; i < 1500; i++) {
    now++;
    for (let k = Math.floor(random() * 3); k > 0; k--) scheduler.add(new Job(n++, now + Math.floor(random() * 400)));
    scheduler.run(now);
  }
});
