// A pool of connections grows with the load to its limit of 24.
const rounds = require('./rounds');
const { Pool } = require('tarn');

class Connection { constructor() { this.buffer = Array.from({ length: 400 }, (_, n) => n / 3); this.statements = new Map([['begin', {}]]); } }
const pool = new Pool({ create: async () => new Connection(), destroy: () => {}, min: 2, max: 24, idleTimeoutMillis: 3600e3 });
const load = [10, 18, 23, 24];

rounds(async round => {
  const taken = [];
  for (let i = 0; i < load[round]; i++) taken.push(await pool.acquire().promise);
  for (const connection of taken) pool.release(connection);
});
