// Jobs wait for some time and are done: what waits when a dump is taken is now more, now less, over five dumps.
const rounds = require('./rounds');

class Job { constructor(n) { this.n = n; this.payload = Array.from({ length: 10 }, (_, i) => `${n}.${i}`); } }
const waiting = [];
rounds(round => {
  for (let n = 0; n < 3000; n++) {
    waiting.push(new Job(n));
    if (waiting.length > [400, 500, 620, 560, 660, 600][round]) waiting.splice(0, waiting.length - [400, 500, 620, 560, 660, 600][round]);
  }
});
