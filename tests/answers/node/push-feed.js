// A stream of objects is fed by events. Its reader paused it when a client was slow, and never resumed.
const rounds = require('./rounds');
const { Readable } = require('stream');

class Quote {
  constructor(n) { this.symbol = `S${n}`; this.bids = Array.from({ length: 8 }, (_, i) => ({ price: n + i })); }
}
class QuoteStream extends Readable {
  constructor() { super({ objectMode: true, read() {} }); }
}
const quoteStream = new QuoteStream();
quoteStream.on('data', () => quoteStream.pause());
rounds(async round => {
  for (let n = 0; n < 800; n++) quoteStream.push(new Quote(round * 1000 + n));
  await new Promise(done => setImmediate(done));
});
