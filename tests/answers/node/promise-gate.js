// Every task waits for a promise that is never settled; the promise keeps them all.
const rounds = require('./rounds');

const migrationDone = new Promise(() => {});
class Task {
  constructor(n) {
    this.rows = new Array(40).fill(n);
  }
}
async function runTask(n) {
  const task = new Task(n);
  await migrationDone;
  return task.rows.length;
}

rounds(round => {
  for (let i = 0; i < 600; i++) runTask(round * 600 + i);
});
