// The server of socket.io asks a client to acknowledge; the client never does, and each question stays.
const rounds = require('./rounds');
const http = require('http');
const { Server } = require('socket.io');
const { io } = require('socket.io-client');

class Offer {
  constructor(id) { this.id = id; this.terms = Array.from({ length: 10 }, (_, i) => `${id} term ${i}`); }
}
const server = http.createServer();
const sockets = new Server(server);
let dealer;
const ready = new Promise(resolve => {
  sockets.on('connection', socket => { dealer = socket; resolve(); });
  server.listen(0, () => io(`http://localhost:${server.address().port}`, { transports: ['websocket'] }));
});
rounds(async round => {
  await ready;
  for (let n = 0; n < 600; n++) {
    const offer = new Offer(`offer-${round}-${n}`);
    dealer.emit('offer', offer.id, answer => { offer.answer = answer; });
  }
  await new Promise(done => setTimeout(done, 100));
});
