// A server of rooms: people come by websocket, talk and go; more of them are there from round to round. A room that is empty is closed.
const { WebSocketServer, WebSocket } = require('ws');
const rounds = require('./rounds');

class Room {
  constructor(name) { this.name = name; this.members = new Set(); this.messages = []; }
  say(from, text) {
    this.messages.push({ from, text });
    if (this.messages.length > 20) this.messages.shift();
    for (const member of this.members) if (member.readyState === WebSocket.OPEN) member.send(text);
  }
}
const roomsByName = new Map();
const server = new WebSocketServer({ port: 0 });
server.on('connection', (socket, request) => {
  const name = request.url.slice(1);
  const user = { name: request.headers['x-user'], joined: Date.now(), typing: false };
  if (!roomsByName.has(name)) roomsByName.set(name, new Room(name));
  const room = roomsByName.get(name);
  room.members.add(socket);
  socket.on('message', data => room.say(user.name, String(data)));
  socket.on('close', () => {
    room.members.delete(socket);
    if (room.members.size === 0) roomsByName.delete(name);
  });
});
const guests = [];
const together = [20, 45, 70, 95];
let last = 0;
server.on('listening', () => rounds(async round => {
  const { port } = server.address();
  for (let n = 0; n < 150; n++) {
    const number = last++;
    const guest = new WebSocket(`ws://127.0.0.1:${port}/room-${number % 30}`, { headers: { 'x-user': `user ${number}` } });
    await new Promise(done => guest.once('open', done));
    guest.send(`hello from ${number}`);
    guests.push(guest);
    while (guests.length > together[round]) {
      const gone = guests.shift();
      const closed = new Promise(done => gone.once('close', done));
      gone.close();
      await closed;
    }
  }
  await new Promise(done => setTimeout(done, 100));
}));
