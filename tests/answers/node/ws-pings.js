// A timer sends pings over each connection; a closed connection keeps its timer.
const rounds = require('./rounds');
const { WebSocketServer, WebSocket } = require('ws');

const server = new WebSocketServer({ port: 0 });
class Heartbeat {
  constructor(socket, user) { this.socket = socket; this.user = user; this.seen = new Array(60).fill(0.5); }
  start() { this.timer = setInterval(() => { if (this.socket.readyState === WebSocket.OPEN) this.socket.ping(); }, 30000); }
}
server.on('connection', (socket, request) => new Heartbeat(socket, request.url).start());
const visit = user => new Promise((resolve, reject) => {
  const client = new WebSocket(`ws://localhost:${server.address().port}/${user}`);
  client.on('open', () => client.close());
  client.on('close', resolve);
  client.on('error', reject);
});
rounds(async round => { for (let n = 0; n < 120; n++) await visit(`user-${round}-${n}`); });
