// WebSocket connections come and go, some stay; a room forgets who leaves.
const rounds = require('./rounds');
const { WebSocketServer, WebSocket } = require('ws');

const rooms = new Map();
const server = new WebSocketServer({ port: 0 });
server.on('connection', (socket, request) => {
  const room = request.url.slice(1);
  if (!rooms.has(room)) rooms.set(room, new Set());
  rooms.get(room).add(socket);
  socket.on('message', text => { for (const other of rooms.get(room)) other.send(text); });
  socket.on('close', () => { rooms.get(room).delete(socket); if (!rooms.get(room).size) rooms.delete(room); });
});
const open = room => new Promise((resolve, reject) => {
  const client = new WebSocket(`ws://127.0.0.1:${server.address().port}/${room}`);
  client.on('open', () => resolve(client));
  client.on('error', reject);
});
const clients = [];
let n = 0;
rounds(async round => {
  while (clients.length < [40, 45, 38, 42][round]) clients.push(await open(`r${n++ % 9}`));
  for (let i = 0; i < 20; i++) {
    const gone = clients.shift();
    await new Promise(resolve => { gone.on('close', resolve); gone.close(); });
    clients.push(await open(`r${n++ % 9}`));
  }
  while (clients.length > [40, 45, 38, 42][round]) clients.shift().close();
  await new Promise(resolve => setTimeout(resolve, 50));
});
