// Rooms of a server keep their members after these left; rooms are an object by name.
const rounds = require('./rounds');

class Member {
  constructor(name) { this.name = name; this.sent = [{ text: `hello from ${name}` }]; this.joined = 1; }
}
class Room {
  constructor(name) { this.name = name; this.members = new Set(); }
}
const server = {
  rooms: {},
  join(room, name) { (this.rooms[room] ??= new Room(room)).members.add(new Member(name)); },
  leave(room, name) { for (const member of this.rooms[room].members) if (member === name) this.rooms[room].members.delete(member); },
};
rounds(round => {
  for (let n = 0; n < 1500; n++) { server.join(`room-${n % 8}`, `guest-${round}-${n}`); if (n % 50 === 0) server.leave(`room-${n % 8}`, `guest-${round}-${n}`); }
});
