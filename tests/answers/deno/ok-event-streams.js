// Readers follow prices by a stream of events each; they come and go, and more of them are there from round to round. Prices of the last
// minutes stand in a sliding window by article, and samples in a histogram.
import rounds from './rounds.js';

class Reader {
  constructor(name) { this.name = name; this.sent = 0; this.stream = new ReadableStream({ start: controller => { this.controller = controller; }, cancel: () => { this.gone = true; } }); }
  send(event) { this.controller.enqueue(event); this.sent++; }
}
class Prices {
  constructor(most) { this.most = most; this.byArticle = new Map(); this.histogram = new Uint32Array(64); this.readers = new Set(); }
  note(article, cents) {
    const window = this.byArticle.get(article) ?? [];
    this.byArticle.set(article, window);
    window.push({ cents, at: window.length });
    if (window.length > this.most) window.shift();
    this.histogram[cents % 64]++;
    for (const reader of this.readers) if (reader.sent < 3) reader.send(`data: ${article} ${cents}\n\n`);
  }
}
const prices = new Prices(24);
const here = [];
const together = [30, 80, 130, 180];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 400; n++) {
    const reader = new Reader(`reader ${last++}`);
    prices.readers.add(reader);
    const source = reader.stream.getReader();
    here.push({ reader, source });
    prices.note(`article ${n % 40}`, n * 7 + round);
    await source.read();
    while (here.length > together[round]) {
      const gone = here.shift();
      prices.readers.delete(gone.reader);
      await gone.source.cancel();
    }
  }
});
