// A body is split for the log and for the answer. The log is never read.
const rounds = require('./rounds');
const { ReadableStream } = require('stream/web');

class Recording {
  constructor(name) {
    this.name = name;
    let n = 0;
    const source = new ReadableStream({ pull(controller) { controller.enqueue({ n, frame: `${name} frame ${n++}`.padEnd(60, '.') }); } });
    const [live, archive] = source.tee();
    this.archive = archive;
    this.reader = live.getReader();
  }
  async play(frames) { for (let i = 0; i < frames; i++) await this.reader.read(); }
}
const camera = new Recording('door');

rounds(() => camera.play(1200));
