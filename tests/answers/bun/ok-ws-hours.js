// Players hold a websocket each; they come and go, and more of them are there from round to round. Matches end and their scores stand in a ring,
// ranks are a Map with a limit.
const rounds = require('./rounds');

class Player {
  constructor(name) { this.name = name; this.moves = []; }
}
class Arena {
  constructor() { this.players = new Map(); this.scores = []; this.ranks = new Map(); }
  enter(socket) { this.players.set(socket.data.name, new Player(socket.data.name)); socket.subscribe('arena'); }
  move(socket, text) { this.players.get(socket.data.name)?.moves.push({ text, after: this.scores.length }); }
  leave(socket) {
    const { name, moves } = this.players.get(socket.data.name);
    this.players.delete(name);
    this.scores.push({ name, moves: moves.length });
    if (this.scores.length > 150) this.scores.shift();
    this.ranks.set(`league ${moves.length % 30}`, name);
  }
}
const arena = new Arena();
const server = Bun.serve({
  port: 0, hostname: '127.0.0.1',
  fetch(request, server) { return server.upgrade(request, { data: { name: new URL(request.url).pathname } }) ? undefined : new Response('no', { status: 400 }); },
  websocket: { open: socket => arena.enter(socket), message: (socket, text) => arena.move(socket, text), close: socket => arena.leave(socket) },
});
const here = [];
const together = [20, 50, 80, 110];
let last = 0;
const event = (target, name) => new Promise(done => target.addEventListener(name, done, { once: true }));
rounds(async round => {
  for (let n = 0; n < 200; n++) {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/player-${last++}`);
    await event(socket, 'open');
    for (let i = 0; i < 5; i++) socket.send(`move ${i}`);
    here.push(socket);
    while (here.length > together[round]) {
      const gone = here.shift();
      const closed = event(gone, 'close');
      gone.close();
      await closed;
    }
  }
  await Bun.sleep(20);
});
