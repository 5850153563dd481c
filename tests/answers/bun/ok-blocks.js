// Blocks are worked on eight at a time, and a table of results of fixed size is written over.
const rounds = require('./rounds');

class Block { constructor(n) { this.n = n; this.rows = Array.from({ length: 20 }, (_, i) => `${n}:${i}`); } }
const results = Array(512);
rounds(async round => {
  for (let n = 0; n < 1200; n += 8) {
    const blocks = await Promise.all(Array.from({ length: 8 }, async (_, i) => new Block(round * 1200 + n + i)));
    for (const block of blocks) results[block.n % 512] = block.rows.length;
  }
});
