// The context of each request (AsyncLocalStorage) links to the one that caused it; a chain of follow-up jobs never ends.
const rounds = require('./rounds');
const { AsyncLocalStorage } = require('async_hooks');

const requestContext = new AsyncLocalStorage();
class JobContext {
  constructor(parent) { this.parent = parent; this.started = Date.now(); this.notes = ['job', `${Math.random()}`]; this.tags = { a: 1, b: 2 }; }
}
let budget = 0, wake;
function step() {
  if (budget-- <= 0) return wake();
  requestContext.run(new JobContext(requestContext.getStore()), () => setImmediate(step));
}
let resume = step;

rounds(async () => {
  budget = 700;
  await new Promise(resolve => { wake = () => { resume = AsyncLocalStorage.bind(step); resolve(); }; resume(); });
});
