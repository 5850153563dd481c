// Orders come as events; a report iterates over them and got stuck at the first.
const rounds = require('./rounds');
const { EventEmitter, on } = require('events');

const orderFeed = new EventEmitter();
async function dailyReport() {
  for await (const [order] of on(orderFeed, 'order')) {
    await new Promise(() => {}); // waits for a printer that is off
    console.log(order);
  }
}
dailyReport();

rounds(async round => {
  for (let i = 0; i < 900; i++) {
    orderFeed.emit('order', { number: round * 900 + i, articles: [`article ${i}`, `article ${i + 1}`], paid: true });
  }
  await null;
});
