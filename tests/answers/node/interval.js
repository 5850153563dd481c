// Each connection has a heartbeat that is never cleared.
const rounds = require('./rounds');

class Peer {
  constructor(id) {
    this.id = id;
    this.missed = 0;
    this.history = new Array(40).fill(id);
  }
  start() {
    setInterval(() => this.missed++, 60_000 + this.id % 4);
  }
}

rounds(round => {
  for (let i = 0; i < 500; i++) new Peer(round * 500 + i).start();
});
