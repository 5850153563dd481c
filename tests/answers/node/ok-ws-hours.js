// A chat by websockets whose visitors become more with the hour: they come, say something and go; each has its last lines, rooms that
// nobody is in are taken out, and the history has the last 400 lines.
const { WebSocketServer, WebSocket } = require('ws');
const { once } = require('events');
const rounds = require('./rounds');

class Room {
  constructor(name) { this.name = name; this.members = new Set(); }
}
class Chat {
  constructor(most) { this.rooms = new Map(); this.history = []; this.most = most; }
  join(socket, name) {
    const room = this.rooms.get(name) ?? new Room(name);
    this.rooms.set(name, room);
    const member = { socket, name, since: this.history.length, lines: [] };
    room.members.add(member);
    socket.on('message', data => {
      const line = { room: name, text: String(data) };
      member.lines.push(line);
      this.history.push(line);
      if (this.history.length > this.most) this.history.shift();
    });
    socket.on('close', () => {
      room.members.delete(member);
      if (!room.members.size) this.rooms.delete(name);
    });
  }
}
const chat = new Chat(400);
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
server.on('connection', (socket, request) => chat.join(socket, request.url));
const visitors = [];
const together = [15, 40, 65, 90];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 160; n++) {
    const visitor = new WebSocket(`ws://127.0.0.1:${server.address().port}/room-${last % 20}`);
    await once(visitor, 'open');
    for (let i = 0; i < 4; i++) visitor.send(`line ${i} of visitor ${last}`);
    last++;
    visitors.push(visitor);
    while (visitors.length > together[round]) {
      const gone = visitors.shift();
      gone.close();
      await once(gone, 'close');
    }
  }
  await new Promise(done => setTimeout(done, 30));
});
