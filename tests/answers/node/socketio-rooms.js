// Sockets of socket.io are put into a room object of the program's own, and stay there when they are gone.
const rounds = require('./rounds');
const http = require('http');
const { Server } = require('socket.io');
const { io: connect } = require('socket.io-client');

const server = http.createServer().listen(0);
const io = new Server(server);
class ChatRoom {
  constructor(name) {
    this.name = name;
    this.members = new Set();
  }
}
const lobby = new ChatRoom('lobby');
io.on('connection', socket => {
  lobby.members.add(socket);
  socket.on('say', text => socket.emit('heard', text));
});
const chat = () => new Promise(resolve => {
  const client = connect(`http://localhost:${server.address().port}`, { transports: ['websocket'], forceNew: true, reconnection: false });
  client.on('connect', () => client.emit('say', 'hello'));
  client.on('heard', () => { client.close(); setTimeout(resolve, 2); });
});

rounds(async round => {
  for (let i = 0; i < (round ? 40 : 80); i++) await chat();
});
