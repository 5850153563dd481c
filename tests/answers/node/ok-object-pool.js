// Messages are taken from a pool and given back; in the first minute the pool grows to what a burst needs.
const rounds = require('./rounds');

class Message {
  constructor() { this.header = new Map(); this.fields = new Array(20).fill(null); this.body = Buffer.alloc(512); }
  reset() { this.header.clear(); this.fields.fill(null); return this; }
}
class MessagePool {
  constructor() { this.free = []; this.made = 0; }
  take() { return this.free.pop() ?? (this.made++, new Message()); }
  give(message) { this.free.push(message.reset()); }
}
const pool = new MessagePool();
async function handleBurst(size) {
  const taken = Array.from({ length: size }, (_, n) => { const message = pool.take(); message.header.set('id', n); message.fields[0] = n; return message; });
  await null;
  for (const message of taken) pool.give(message);
}
rounds(async round => { for (const size of [100, 700, 1500, 900, 300 + round * 50]) await handleBurst(size); });
