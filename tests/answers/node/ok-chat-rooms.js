// Rooms with their last 50 messages; idle ones close, and more are open each round.
const rounds = require('./rounds');
class ChatMessage { constructor(room, n) { this.room = room; this.n = n; this.body = `hello ${n}`; } }
class Room { constructor(name) { this.name = name; this.last = []; this.idleSince = 0; } say(m) { this.last.push(m); if (this.last.length > 50) this.last.shift(); } }
const rooms = new Map(); let n = 0, tick = 0, first = 0;
rounds(async round => { const active = 20 + 8 * round; for (let t = 0; t < 60; t++, tick++) { for (let r = 0; r < active; r++) { const name = `room-${first + r}`; let room = rooms.get(name); if (!room) rooms.set(name, room = new Room(name)); room.say(new ChatMessage(name, n++)); room.idleSince = tick; } first += 1; for (const [name, room] of rooms) if (tick - room.idleSince > 10) rooms.delete(name); } });
