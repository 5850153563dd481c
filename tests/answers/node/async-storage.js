// Jobs that were queued in a request keep the store of the request.
const rounds = require('./rounds');
const { AsyncLocalStorage, AsyncResource } = require('async_hooks');

const storage = new AsyncLocalStorage();
const deferredJobs = [];
class RequestStore {
  constructor(n) {
    this.user = `user${n}`;
    this.trace = new Array(40).fill(n);
  }
}
function defer(name) {
  deferredJobs.push(new AsyncResource(name));
}

rounds(round => {
  for (let i = 0; i < 500; i++) storage.run(new RequestStore(round * 500 + i), () => defer('mail'));
});
