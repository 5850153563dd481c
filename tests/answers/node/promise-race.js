// Every job races with the shutdown of the service, a promise that stays open: it keeps a reaction, and with it the
// result, of each race.
const rounds = require('./rounds');

class Invoice {
  constructor(id) {
    this.id = id;
    this.lines = Array.from({ length: 12 }, (_, n) => ({ sku: `sku-${id}-${n}`, price: n * 1.25 }));
  }
}
let stop;
const shutdownRequested = new Promise(resolve => { stop = resolve; });
process.on('SIGTERM', () => stop('bye'));

async function loadInvoice(id) {
  await null;
  return new Invoice(id);
}
async function handle(id) {
  const invoice = await Promise.race([loadInvoice(id), shutdownRequested]);
  return invoice.lines.length;
}

let id = 0;
rounds(async () => {
  for (let i = 0; i < 800; i++) await handle(id++);
});
