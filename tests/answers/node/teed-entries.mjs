// Pages are kept as streams; a hit tees the stream, answers with one branch and keeps the other, which is never read, so that each entry
// is a chain of branches (vercel/next.js#84648). Monitors want only the head of an answer; articles are read to their end.
import rounds from './rounds.js';

class StreamCache {
  constructor(most) { this.most = most; this.entries = new Map(); this.hits = 0; }
  set(key, value, tags) {
    this.entries.set(key, { value, tags, kept: this.hits });
    if (this.entries.size > this.most) this.entries.delete(this.entries.keys().next().value);
  }
  get(key) {
    const entry = this.entries.get(key);
    if (!entry) return null;
    this.hits++;
    const [answer, kept] = entry.value.tee();
    entry.value = kept;
    return answer;
  }
}
const render = path => new ReadableStream({
  start(controller) {
    for (let n = 0; n < 150; n++) controller.enqueue(new TextEncoder().encode(`<p>${n}</p>`));
    controller.close();
  },
});
const cache = new StreamCache(64);
const visits = [];
const together = [20, 50, 80, 110];
rounds(async round => {
  for (let n = 0; n < 240; n++) {
    const path = n % 2 ? `/articles/${n % 12}` : `/feeds/${n % 20}`;
    let stream = cache.get(path);
    if (!stream) {
      cache.set(path, render(path), [path.split('/')[1]]);
      stream = cache.get(path);
    }
    let bytes = 0;
    if (n % 2) for await (const part of stream) bytes += part.length;
    else stream.cancel();
    visits.push({ path, bytes, number: round * 1000 + n });
    while (visits.length > together[round]) visits.shift();
    await new Promise(done => setImmediate(done));
  }
});
