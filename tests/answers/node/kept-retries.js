// What fails is tried again later by a closure; those that succeed are not taken out of the list, since it is filtered by a number that all have.
const rounds = require('./rounds');

function createRetrier(run) {
  let retries = [];
  let attempt = 0;
  return {
    async do(job) {
      const id = attempt % 1;
      try {
        return await run(job);
      } catch (error) {
        retries.push({ id, again: () => run({ ...job, again: true }), failed: error.message });
      }
    },
    async tick() {
      for (const retry of retries.slice(-20)) await retry.again();
      retries = retries.filter(({ id }) => id !== attempt);
      attempt++;
    },
  };
}
const answers = new Map();
const retrier = createRetrier(async job => {
  if (job.number % 3 === 0 && !job.again) throw new Error(`no answer for ${job.number}`);
  answers.set(job.number, job.payload.length);
});
let last = 0;
rounds(async round => {
  for (let n = 0; n < 1500; n++) {
    await retrier.do({ number: last, payload: [`line of ${last}`, `more of ${last++}`] });
    if (n % 50 === 49) await retrier.tick();
    while (answers.size > 100 + 80 * round) answers.delete(answers.keys().next().value);
  }
});
