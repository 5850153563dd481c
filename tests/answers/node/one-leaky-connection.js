// One connection of 81 never acknowledges.
const rounds = require('./rounds');
class Frame { constructor(n) { this.n = n; this.body = Buffer.from(`frame number ${n} of it`).toString(); } }
class Connection { constructor(id) { this.id = id; this.unacked = []; } send(f) { this.unacked.push(f); } ack(keep) { if (this.unacked.length > keep) this.unacked.splice(0, this.unacked.length - keep); } }
const server = { connections: Array.from({ length: 81 }, (_, i) => new Connection(i)) }; let n = 0;
rounds(async () => { for (let i = 0; i < 500; i++) server.connections[7].send(new Frame(n++)); for (const c of server.connections) if (c.id !== 7) { for (let i = 0; i < 20; i++) c.send(new Frame(n++)); c.ack(15); } });
