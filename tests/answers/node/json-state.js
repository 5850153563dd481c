// All state is copied by JSON with each action, and its orders, numbers alone, become more.
const rounds = require('./rounds');
const store = { state: { orders: [], revision: 0 } };
function dispatch(action) { const next = JSON.parse(JSON.stringify(store.state)); next.revision++; next.orders.push(...action); store.state = next; }
let n = 0;
rounds(async () => { for (let i = 0; i < 60; i++) dispatch(Array.from({ length: 10 }, () => ({ id: ++n, article: n % 70, count: n % 5, price: n * 3 }))); });
