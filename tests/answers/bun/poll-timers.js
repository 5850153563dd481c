// An interval for each device, which is not cleared when the device goes.
const rounds = require('./rounds');

class Device {
  constructor(id) { this.id = id; this.readings = Array.from({ length: 20 }, (_, n) => ({ at: n, value: `${id}/${n}` })); }
  poll() { this.last = Date.now(); }
}
rounds(round => {
  for (let n = 0; n < 300; n++) {
    const device = new Device(`${round}-${n}`);
    setInterval(() => device.poll(), 3600_000).unref();
  }
});
