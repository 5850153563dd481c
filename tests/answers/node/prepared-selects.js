// Statements are prepared by the name of their text, and the text has the ids in it: each connection of the pool keeps all.
const rounds = require('./rounds');
const crypto = require('crypto');
const { Pool } = require('tiny-pg');

const pool = new Pool({ max: 5 });
const db = {
  select(table, columns, ids) {
    const text = `SELECT ${columns.join(', ')} FROM ${table} WHERE tenant = $1 AND id IN (${ids.join(', ')}) ORDER BY created_at DESC`;
    return pool.query({ name: crypto.createHash('md5').update(text).digest('hex'), text, values: ['acme'] });
  },
};
class InvoiceRepository {
  findAll(ids) { return db.select('invoices', ['id', 'number', 'total', 'currency', 'created_at', 'paid_at'], ids); }
}
const invoices = new InvoiceRepository();
rounds(async round => {
  for (let n = 0; n < 1500; n++) await invoices.findAll(Array.from({ length: 12 }, (_, i) => round * 100000 + n * 12 + i));
});
