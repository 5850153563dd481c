// A chat over BroadcastChannel: rooms close their channel when the last one goes, a window has the newest messages of each, and more people come in each round.
import rounds from './rounds.js';

class Room {
  constructor(name) {
    this.name = name;
    this.people = new Map();
    this.messages = [];
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }) => this.note(data);
  }
  note(message) {
    this.messages.push(message);
    if (this.messages.length > 30) this.messages.shift();
  }
  close() { this.channel.onmessage = null; this.channel.close(); }
}
class Chat {
  constructor() { this.rooms = new Map(); this.left = 0; }
  enter(name, user) {
    let room = this.rooms.get(name);
    if (!room) this.rooms.set(name, room = new Room(name));
    room.people.set(user, { user, since: `${name} since ${this.left}`, drafts: [] });
    return room;
  }
  leave(name, user) {
    const room = this.rooms.get(name);
    room.people.delete(user);
    this.left++;
    if (room.people.size === 0) { room.close(); this.rooms.delete(name); }
  }
}
const chat = new Chat();
const present = [];
const most = [60, 110, 160, 210];
rounds(async round => {
  for (let n = 0; n < 1500; n++) {
    const user = `user-${round}-${n}`;
    const name = `room-${n % 25}`;
    chat.enter(name, user).note({ user, text: `message ${n} of ${user}` });
    present.push([name, user]);
    while (present.length > most[round]) chat.leave(...present.shift());
  }
  await new Promise(done => setTimeout(done, 20));
});
