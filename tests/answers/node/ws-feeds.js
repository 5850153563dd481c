// Each WebSocket connection subscribes to the feed of a broker (eventemitter3); its end does not unsubscribe.
const rounds = require('./rounds');
const { WebSocketServer, WebSocket } = require('ws');
const EventEmitter = require('eventemitter3');

const quotes = new EventEmitter();
const server = new WebSocketServer({ port: 0 });
server.on('connection', (socket, request) => {
  const watchlist = new Set(Array.from({ length: 30 }, (_, n) => `S${n}${request.url}`));
  quotes.on('quote', quote => {
    if (watchlist.has(quote.symbol) && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(quote));
  });
});

const visit = n => new Promise((resolve, reject) => {
  const client = new WebSocket(`ws://127.0.0.1:${server.address().port}/c${n}`);
  client.on('open', () => client.close());
  client.on('close', resolve);
  client.on('error', reject);
});

let n = 0;
rounds(async () => {
  for (let i = 0; i < 150; i++) await visit(n++);
  quotes.emit('quote', { symbol: 'none', price: 1 });
});
