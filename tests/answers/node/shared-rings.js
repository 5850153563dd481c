// Each screen that is shared has a ring of shared memory that workers would read; rings of screens that were left stay.
const rounds = require('./rounds');

class FrameRing {
  constructor(frames, bytes) {
    this.memory = new SharedArrayBuffer(16 + frames * bytes);
    this.state = new Int32Array(this.memory, 0, 4);
    this.pixels = new Uint8Array(this.memory, 16);
    this.bytes = bytes;
  }
  write(frame) {
    const n = Atomics.add(this.state, 0, 1) % 2;
    this.pixels.fill(frame & 255, n * this.bytes, (n + 1) * this.bytes);
    Atomics.notify(this.state, 0);
  }
}
class Screen {
  constructor(room, user) { this.room = room; this.user = user; this.ring = new FrameRing(2, 8192); }
}
class ConferenceServer {
  constructor() { this.screensByRoom = new Map(); this.shared = 0; }
  share(room, user) {
    if (!this.screensByRoom.has(room)) this.screensByRoom.set(room, []);
    const screen = new Screen(room, user);
    this.screensByRoom.get(room).push(screen);
    this.shared++;
    return screen;
  }
  stop(screen) { screen.stopped = true; }
}
const conferences = new ConferenceServer();
rounds(round => {
  for (let n = 0; n < 60; n++) {
    const screen = conferences.share(`room-${n % 6}`, `user-${round}-${n}`);
    for (let frame = 0; frame < 3; frame++) screen.ring.write(frame);
    conferences.stop(screen);
  }
});
