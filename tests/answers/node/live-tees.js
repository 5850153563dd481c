// Quotes of a symbol come as a stream that does not end. Each viewer gets a branch of it, and the other branch is what the desk keeps from then on; a viewer
// who leaves cancels theirs (the chain of vercel/next.js#84648).
const rounds = require('./rounds');

class Desk {
  constructor() { this.feeds = new Map(); }
  open(symbol) {
    const feed = { symbol, viewers: 0 };
    feed.value = new ReadableStream({ start(controller) { feed.publish = quote => controller.enqueue(quote); } });
    this.feeds.set(symbol, feed);
  }
  view(symbol) {
    const feed = this.feeds.get(symbol);
    const [mine, kept] = feed.value.tee();
    feed.value = kept;
    feed.viewers++;
    return mine.getReader();
  }
}

const desk = new Desk();
for (let n = 0; n < 8; n++) desk.open(`symbol-${n}`);
let cents = 0;
rounds(async round => {
  for (let n = 0; n < 400; n++) {
    const reader = desk.view(`symbol-${n % 8}`);
    const next = reader.read();
    if (n < 8) desk.feeds.get(`symbol-${n}`).publish({ cents: n * 100 + round, at: n });
    if (n < 8) cents += (await next).value.cents;
    else next.catch(() => {});
    reader.cancel();
  }
});
