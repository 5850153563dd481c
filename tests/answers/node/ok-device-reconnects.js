// Eighty devices that connect anew each round, with larger buffers.
const rounds = require('./rounds');
class Connection { constructor(id, k) { this.id = id; this.inbox = Array.from({ length: k }, (_, i) => ({ i, id })); } }
const devices = new Map();
rounds(async round => { for (let d = 0; d < 80; d++) devices.set(`device-${d}`, new Connection(d, 25 + 10 * round)); });
