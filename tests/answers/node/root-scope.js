// Work that runs outside of a request registers what is to be closed at the scope of the start, which never ends.
const rounds = require('./rounds');
const { AsyncLocalStorage } = require('async_hooks');

class Scope {
  constructor(name) { this.name = name; this.disposables = []; }
  onEnd(disposable) { this.disposables.push(disposable); }
  end() { for (const disposable of this.disposables) disposable.dispose(); }
}
const scopes = new AsyncLocalStorage();
const useScope = () => scopes.getStore();

class Lease {
  constructor(job) { this.job = job; this.rows = Array.from({ length: 8 }, (_, n) => ({ n, text: `row ${n} of job ${job}` })); }
  dispose() { this.rows = null; }
}
async function importJob(id) {
  const lease = new Lease(id);
  useScope().onEnd(lease);
  await null;
  return lease.rows.length;
}
const queue = [];
async function poll() { for (const { id, done } of queue.splice(0)) done(await importJob(id)); }
scopes.run(new Scope('boot'), () => setInterval(poll, 2));
rounds(async round => {
  await Promise.all(Array.from({ length: 800 }, (_, n) => new Promise(done => queue.push({ id: round * 800 + n, done }))));
});
