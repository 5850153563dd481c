// Images are made smaller by a queue: those under way become more each round, their pixels are typed arrays; finished ones stay up to 20 MB... of a few KB each, up to a number.
const rounds = require('./rounds');

class Image {
  constructor(id, size) { this.id = id; this.pixels = new Uint8Array(size); this.state = 'waiting'; this.steps = []; }
  step(name) { this.steps.push({ name, at: this.id }); }
}
class Studio {
  constructor(most) { this.most = most; this.underway = []; this.finished = new Map(); this.count = 0; }
  take(id) {
    const image = new Image(id, 2048);
    image.step('taken');
    this.underway.push(image);
  }
  finish() {
    const image = this.underway.shift();
    image.state = 'done';
    image.step('done');
    this.finished.set(`image ${image.id % 300}`, image.pixels.slice(0, 512));
    if (this.finished.size > this.most) this.finished.delete(this.finished.keys().next().value);
    this.count++;
  }
}
const studio = new Studio(200);
const together = [40, 90, 140, 190];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 1200; n++) {
    studio.take(last++);
    while (studio.underway.length > together[round]) studio.finish();
    if (n % 300 === 0) await new Promise(done => setImmediate(done));
  }
});
