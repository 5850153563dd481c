// Pictures are decoded by four modules of WebAssembly. Their memories grow to what the largest picture needs, and can not shrink; later pictures fit in.
const rounds = require('./rounds');

// (module (memory (export "memory") 1))
const code = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 0, 1, 7, 10, 1, 6, 109, 101, 109, 111, 114, 121, 2, 0]);
class Decoder {
  constructor(number) { this.number = number; this.memory = new WebAssembly.Instance(new WebAssembly.Module(code)).exports.memory; this.done = 0; }
  decode(bytes) {
    const missing = bytes - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / 65536));
    new Uint8Array(this.memory.buffer, 0, bytes).fill(this.done++ & 255);
    return bytes / 4;
  }
}
const decoders = [1, 2, 3, 4].map(number => new Decoder(number));
const largest = [700000, 400000, 1300000, 900000];
const seen = [];
rounds(round => {
  for (let n = 0; n < 40; n++) {
    const pixels = decoders[n % 4].decode(Math.round(largest[round] * (n + 1) / 40));
    seen.push({ picture: `picture-${round}-${n}`, pixels, colours: Array.from({ length: 20 }, (_, c) => [c, pixels % (c + 1)]) });
    if (seen.length > 100) seen.shift();
  }
});
