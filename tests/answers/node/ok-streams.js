// Files are packed and unpacked in streams, a few at a time.
const rounds = require('./rounds');
const zlib = require('zlib');
const { Readable, Writable } = require('stream');
const { pipeline } = require('stream/promises');

class Counter extends Writable { constructor() { super(); this.bytes = 0; } _write(chunk, encoding, done) { this.bytes += chunk.length; done(); } }
async function pack(n) {
  const source = Readable.from(Array.from({ length: 20 }, (_, k) => Buffer.alloc(4000, k + n)));
  const counter = new Counter();
  await pipeline(source, zlib.createGzip(), zlib.createGunzip(), counter);
  return counter.bytes;
}
let n = 0;
rounds(async () => { for (let i = 0; i < 30; i++) await Promise.all([pack(n++), pack(n++), pack(n++)]); });
