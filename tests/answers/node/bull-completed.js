// A queue writes its jobs to a store, and never removes those that are done.
const rounds = require('./rounds');
const { EventEmitter } = require('events');

class MemoryRedis {
  constructor() { this.keys = new Map(); }
  hset(key, fields) {
    let hash = this.keys.get(key);
    if (!hash) this.keys.set(key, hash = new Map());
    for (const name in fields) hash.set(name, String(fields[name]));
  }
  lpush(key, value) { (this.keys.get(key) ?? this.keys.set(key, []).get(key)).push(value); }
  rpop(key) { return this.keys.get(key)?.pop(); }
}
class Queue extends EventEmitter {
  constructor(name, client) { super(); this.name = name; this.client = client; this.nextId = 0; }
  add(data) {
    const id = ++this.nextId;
    this.client.hset(`bull:${this.name}:${id}`, { data: JSON.stringify(data), attempts: 3, state: 'waiting', stamp: Date.now() });
    this.client.lpush(`bull:${this.name}:wait`, id);
  }
  work(handler) {
    for (let id; (id = this.client.rpop(`bull:${this.name}:wait`)); ) {
      handler(id);
      this.client.hset(`bull:${this.name}:${id}`, { state: 'completed', finished: Date.now() });
    }
  }
}
const pictures = new Queue('pictures', new MemoryRedis());

rounds(round => {
  for (let i = 0; i < 250; i++) pictures.add({ file: `picture-${round}-${i}.jpg`, sizes: [100, 200, 400] });
  pictures.work(id => id);
});
