// Every visitor gets large arrays and maps that stay all but empty.
const { write } = require('./write.js');
class Visitor {
  constructor(id) { this.id = id; this.slots = new Array(200); this.slots[3] = { id }; this.options = new Map(); }
}
const visitors = new Set();
globalThis.site = { visitors };
for (let i = 0; i < 700; i++) visitors.add(new Visitor(i));
write();
