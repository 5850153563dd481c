// An event store with three classes of events in equal parts.
const rounds = require('./rounds');
class OrderPlaced { constructor(n) { this.n = n; this.lines = [n, n + 1]; } }
class OrderPaid { constructor(n) { this.n = n; this.amount = n * 1.5; } }
class OrderShipped { constructor(n) { this.n = n; this.parcel = `parcel ${n}`; } }
const store = { events: [] }; let n = 0;
rounds(async () => { for (let i = 0; i < 500; i++, n++) store.events.push(new OrderPlaced(n), new OrderPaid(n), new OrderShipped(n)); });
