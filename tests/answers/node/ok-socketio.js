// Sockets of socket.io come and go; ten stay.
const rounds = require('./rounds');
const http = require('http');
const { Server } = require('socket.io');
const { io: connect } = require('socket.io-client');

const server = http.createServer().listen(0);
const io = new Server(server);
io.on('connection', socket => {
  socket.join('lobby');
  socket.on('say', text => socket.emit('heard', text));
});
const chat = stay => new Promise(resolve => {
  const client = connect(`http://localhost:${server.address().port}`, { transports: ['websocket'], forceNew: true, reconnection: false });
  client.on('connect', () => client.emit('say', 'hello'));
  client.on('heard', () => { if (!stay) client.close(); setTimeout(resolve, 2); });
});

rounds(async round => {
  if (!round) for (let i = 0; i < 10; i++) await chat(true);
  for (let i = 0; i < (round ? 40 : 80); i++) await chat(false);
});
