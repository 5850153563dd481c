// Three topics with most, some and few of the subscribers.
const rounds = require('./rounds');
class Subscriber { constructor(n) { this.n = n; this.filter = { n }; } }
const hub = { topics: new Map([['orders', []], ['stock', []], ['news', []]]) }; let n = 0;
rounds(async () => { for (let i = 0; i < 1000; i++, n++) hub.topics.get(i % 10 < 7 ? 'orders' : i % 10 < 9 ? 'stock' : 'news').push(new Subscriber(n)); });
