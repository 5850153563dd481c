// Requests are under way in a Map and end; more of them each round. The last 500 results stand in a ring, and the table of rates is read anew.
const rounds = require('./rounds');

class Request {
  constructor(n, round) { this.n = n; this.steps = [{ at: n, name: 'begin' }, { at: n + round, name: 'read' }]; this.bytes = new Uint8Array(24); }
}
class Server {
  constructor() { this.underway = new Map(); this.ring = new Array(500); this.rates = {}; this.ended = 0; }
  begin(n, round) { this.underway.set(n, new Request(n, round)); }
  end() {
    const [n, request] = this.underway.entries().next().value;
    this.underway.delete(n);
    this.ring[this.ended++ % 500] = { n, steps: request.steps.length };
  }
}
const server = new Server();
const together = [80, 200, 320, 440];
let last = 0;
rounds(async round => {
  server.rates = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`rate${n}`, { value: n * round }]));
  for (let n = 0; n < 2000; n++) {
    server.begin(last++, round);
    while (server.underway.size > together[round]) server.end();
    if (n % 400 === 0) await Bun.sleep(0);
  }
});
