// Samples of a machine are written into one buffer, which is made larger when it is full and never sent.
const rounds = require('./rounds');

class FlightRecorder {
  #view;
  constructor() { this.bytes = new ArrayBuffer(65536, { maxByteLength: 64 << 20 }); this.#view = new DataView(this.bytes); this.used = 0; }
  sample(sensor, value) {
    if (this.used + 16 > this.bytes.byteLength) this.bytes.resize(this.bytes.byteLength + 65536);
    this.#view.setFloat64(this.used, value);
    this.#view.setUint32(this.used + 8, sensor);
    this.used += 16;
  }
}
const machine = { name: 'press 4', recorder: new FlightRecorder(), sensors: Array.from({ length: 40 }, (_, n) => ({ n, unit: 'bar' })) };
rounds(round => { for (let n = 0; n < 60000; n++) machine.recorder.sample(n % 40, n / (round + 1)); });
