// Equal texts again and again, each read from its own buffer, in rows that lie in many places.
const { write } = require('./write.js');
const tables = [];
globalThis.shop = { tables };
const country = Buffer.from('The former Yugoslav Republic of Macedonia, which is a long name for a country');
for (let t = 0; t < 100; t++) {
  const rows = [];
  for (let i = 0; i < 60; i++) rows.push({ row: i, country: country.toString('latin1') });
  tables.push({ t, rows });
}
write();
