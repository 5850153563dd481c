// Users join the rooms of their documents when the database has answered; some are gone by then (socketio/socket.io#4067).
const http = require('http');
const { Server } = require('socket.io');
const { io: connect } = require('socket.io-client');
const rounds = require('./rounds');

const documentsOf = user => new Promise(found => {
  setTimeout(found, 20, Array.from({ length: 25 }, (_, i) => `document:${user}-${i}`));
});

class Collaboration {
  constructor(server) {
    this.io = new Server(server, { transports: ['websocket'], pingInterval: 60000 });
    this.online = new Map();
    this.io.on('connection', socket => this.joined(socket));
  }

  async joined(socket) {
    const { user } = socket.handshake.auth;
    this.online.set(user, socket.id);
    socket.on('disconnect', () => this.online.delete(user));
    socket.on('edit', ({ document, text }) => socket.to(document).emit('edited', { user, text }));
    for (const room of await documentsOf(user)) socket.join(room);
    socket.emit('ready', this.online.size);
  }
}

const server = http.createServer();
let collaboration, user = 0;
const visit = leavesEarly => new Promise(done => {
  const socket = connect(`http://localhost:${server.address().port}`, {
    transports: ['websocket'], auth: { user: `u${user++}` }, reconnection: false, forceNew: true });
  socket.on('connect', () => { if (leavesEarly) { socket.close(); done(); } });
  socket.on('ready', () => {
    socket.emit('edit', { document: 'document:u1-1', text: 'x' });
    socket.close();
    done();
  });
});

rounds(async () => {
  if (!collaboration) {
    await new Promise(done => server.listen(0, done));
    collaboration = new Collaboration(server);
  }
  for (let i = 0; i < 240; i++) await visit(i % 2 === 0);
  await new Promise(done => setTimeout(done, 200));
});
