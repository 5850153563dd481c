// A consumer of twelve partitions notes the keys of all messages that it has seen, so that none is done twice.
const rounds = require('./rounds');

class PartitionState {
  constructor(topic, partition) { this.topic = topic; this.partition = partition; this.offset = 0n; this.seen = new Set(); }
}
class OrderConsumer {
  constructor(topic, partitions) {
    this.assigned = new Map();
    for (let n = 0; n < partitions; n++) this.assigned.set(n, new PartitionState(topic, n));
    this.handled = 0;
  }
  async eachMessage({ partition, message }) {
    const state = this.assigned.get(partition);
    state.offset = message.offset;
    if (state.seen.has(message.key)) return;
    state.seen.add(message.key);
    await this.handle(JSON.parse(message.value));
  }
  async handle(order) { this.handled += order.lines.length; }
}
const consumer = new OrderConsumer('orders', 12);
rounds(async round => {
  for (let n = 0; n < 6000; n++) {
    const key = `order-${(round * 6000 + n).toString(16).padStart(8, '0')}-${'abcdef'[n % 6]}`;
    await consumer.eachMessage({ partition: n % 12, message: { key, offset: BigInt(round * 500 + Math.floor(n / 12)), value: '{"lines":[1,2]}' } });
  }
});
