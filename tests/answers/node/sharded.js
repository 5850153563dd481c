// Sixteen shards with a Map each, and rows are never taken out.
const rounds = require('./rounds');
class Row { constructor(id) { this.id = id; this.cells = { a: id, b: `row ${id}` }; } }
class Shard { constructor(n) { this.n = n; this.rows = new Map(); } }
class Table { constructor() { this.shards = Array.from({ length: 16 }, (_, n) => new Shard(n)); } insert(row) { this.shards[row.id % 16].rows.set(row.id, row); } }
const table = new Table();
let n = 0;
rounds(async () => { for (let i = 0; i < 1000; i++) table.insert(new Row(n++)); });
