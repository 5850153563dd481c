// Names are cut out of packets as parts of shared blocks of 64 KB, and the last 2000 names are kept; how many packets come differs.
const rounds = require('./rounds');

class Slab {
  constructor() { this.block = Buffer.alloc(65536); this.at = 0; }
  keep(bytes) {
    if (this.at + bytes.length > this.block.length) { this.block = Buffer.alloc(65536); this.at = 0; }
    bytes.copy(this.block, this.at);
    return this.block.subarray(this.at, this.at += bytes.length);
  }
}
class NameTable {
  constructor() { this.slab = new Slab(); this.recent = []; this.next = 0; }
  read(packet) {
    const name = this.slab.keep(packet.subarray(4, 4 + packet[0]));
    this.recent[this.next++ % 2000] = name;
    return name.length;
  }
}
const names = new NameTable();
const packets = [3000, 4500, 2500, 5200];
rounds(round => {
  for (let n = 0; n < packets[round]; n++) {
    const packet = Buffer.alloc(200, n & 255);
    packet[0] = 40 + n % 80;
    names.read(packet);
  }
});
