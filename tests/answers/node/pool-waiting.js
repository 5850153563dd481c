// Two connections are never given back. All later queries wait for one.
const rounds = require('./rounds');
const { Pool } = require('tarn');

class Connection { constructor() { this.buffer = new Array(100).fill(0); } query(sql) { return sql.length; } }
const database = new Pool({
  create: () => new Connection(), destroy: () => {}, validate: () => true,
  min: 0, max: 2, acquireTimeoutMillis: 3600e3, propagateCreateError: true,
});

async function loadInvoice(number) {
  const invoice = { number, lines: Array.from({ length: 20 }, (_, n) => ({ n, text: `line ${n} of ${number}` })) };
  const connection = (await database.acquire().promise);
  invoice.rows = connection.query(`select * from lines where invoice = ${number}`);
  return invoice; // and the connection?
}

rounds(async round => {
  for (let i = 0; i < 200; i++) loadInvoice(round * 1000 + i);
  await new Promise(resolve => setTimeout(resolve, 20));
});
