// Changes are written to a stream for an export that ended without cancelling its side.
const rounds = require('./rounds');

class Change {
  constructor(id) { this.id = id; this.before = { price: id, stock: 4 }; this.after = { price: id + 1, stock: 3 }; }
}
class ChangeFeed {
  constructor() {
    const { readable, writable } = new TransformStream({}, { highWaterMark: Infinity }, { highWaterMark: Infinity });
    this.readable = readable;
    this.writer = writable.getWriter();
  }
  async push(change) { await this.writer.ready; this.writer.write(change).catch(() => {}); }
}
const changeFeed = new ChangeFeed();
let id = 0;
rounds(async () => { for (let n = 0; n < 1500; n++) await changeFeed.push(new Change(id++)); });
