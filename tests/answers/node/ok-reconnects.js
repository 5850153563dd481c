// Clients reconnect all the time; listeners are taken off, and the list of clients is as long as there are clients.
const rounds = require('./rounds');
const { WebSocketServer, WebSocket } = require('ws');
const EventEmitter = require('events');

const prices = new EventEmitter().setMaxListeners(0);
const server = new WebSocketServer({ port: 0 });
server.on('connection', socket => {
  const send = price => socket.send(JSON.stringify(price));
  prices.on('price', send);
  socket.on('close', () => prices.off('price', send));
});
const open = [];
async function connect() {
  const client = new WebSocket(`ws://localhost:${server.address().port}`);
  client.on('message', () => {});
  await new Promise((resolve, reject) => client.on('open', resolve).on('error', reject));
  return client;
}
const clients = [20, 26, 18, 24];
rounds(async round => {
  for (let n = 0; n < 60; n++) {
    open.push(await connect());
    if (open.length > clients[round]) { const old = open.shift(); old.close(); await new Promise(resolve => old.on('close', resolve)); }
    prices.emit('price', { n, round });
  }
  while (open.length > clients[round]) { const old = open.shift(); old.close(); await new Promise(resolve => old.on('close', resolve)); }
});
