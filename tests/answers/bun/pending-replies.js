// Calls to a worker wait for a reply by their number; the worker drops some, and nobody gives up.
const rounds = require('./rounds');

class PendingCall {
  constructor(id, payload) { this.id = id; this.payload = payload; this.promise = new Promise((resolve, reject) => { this.resolve = resolve; this.reject = reject; }); }
}
class WorkerClient {
  constructor() { this.pendingCalls = new Map(); this.nextId = 0; }
  call(payload) {
    const call = new PendingCall(this.nextId++, payload);
    this.pendingCalls.set(call.id, call);
    if (call.id % 2) this.reply(call.id, 'ok');
    return call.promise;
  }
  reply(id, value) { this.pendingCalls.get(id).resolve(value); this.pendingCalls.delete(id); }
}
const worker = new WorkerClient();
rounds(round => { for (let n = 0; n < 2400; n++) worker.call({ image: `image-${round}-${n}`, size: [n, n] }); });
