// Subscriptions are async iterators; of clients that went away nobody calls return.
const rounds = require('./rounds');

class PubSub {
  constructor() { this.topics = { orderChanged: new Set() }; }
  publish(topic, value) { for (const queue of this.topics[topic]) { queue.values.push(value); if (queue.values.length > 3) queue.values.shift(); queue.wake?.(); } }
  async *subscribe(topic, filter) {
    const queue = { values: [], wake: null, filter };
    this.topics[topic].add(queue);
    try {
      while (true) {
        while (queue.values.length) yield queue.values.shift();
        await new Promise(resolve => { queue.wake = resolve; });
      }
    } finally { this.topics[topic].delete(queue); }
  }
}
class ViewerState { constructor(id) { this.id = id; this.variables = Array.from({ length: 12 }, (_, n) => ({ name: `$v${n}`, value: `${id}-${n}` })); } }
const pubsub = new PubSub();
rounds(async round => {
  for (let n = 0; n < 300; n++) {
    const viewer = new ViewerState(`${round}/${n}`);
    pubsub.subscribe('orderChanged', order => order.viewer === viewer.id).next();
  }
  pubsub.publish('orderChanged', { viewer: 'x' });
});
