// What devices send is put together until a frame is whole; a device with new software ends its frames otherwise.
const rounds = require('./rounds');

const END = 0x7e;
class FrameDecoder {
  constructor(device) { this.device = device; this.pending = Buffer.alloc(0); this.frames = 0; }
  push(chunk) {
    this.pending = Buffer.concat([this.pending, chunk]);
    for (let at = this.pending.indexOf(END); at >= 0; at = this.pending.indexOf(END)) {
      this.frames++;
      this.pending = Buffer.from(this.pending.subarray(at + 1));
    }
  }
}
class DeviceGateway {
  constructor() { this.decoders = new Map(); }
  received(device, chunk) {
    let decoder = this.decoders.get(device);
    if (!decoder) this.decoders.set(device, decoder = new FrameDecoder(device));
    decoder.push(chunk);
  }
}
const gateway = new DeviceGateway();
rounds(round => {
  for (let n = 0; n < 24; n++) {
    for (let i = 0; i < 40; i++) gateway.received(`meter-${n}`, Buffer.alloc(600, n < 18 ? `v2 reading ${round} ${i};` : '~v1 reading~'));
  }
});
