// A WebSocket client that does not read any more: what is sent to it waits in its socket.
const rounds = require('./rounds');
const { WebSocketServer, WebSocket } = require('ws');
const { fork } = require('child_process');

if (process.argv[2] === 'client') {
  const client = new WebSocket(`ws://127.0.0.1:${process.argv[3]}`);
  client.on('open', () => { process.send('open'); client._socket.pause(); });
  process.on('disconnect', () => process.exit());
  setTimeout(() => process.exit(), 120000);
} else {
  const ticker = new WebSocketServer({ port: 0, perMessageDeflate: false });
  let child;
  const broadcast = message => {
    for (const client of ticker.clients) client.send(message);
  };
  let n = 0;
  rounds(async () => {
    if (!child) {
      child = fork(__filename, ['client', ticker.address().port], { stdio: 'ignore' });
      await new Promise(resolve => child.once('message', resolve));
      await new Promise(resolve => setTimeout(resolve, 100));
      // What fits into the buffers of the system.
      for (let i = 0; i < 200; i++) broadcast(Buffer.alloc(65536, 1));
    }
    for (let i = 0; i < 1500; i++) {
      const depth = Array.from({ length: 20 }, (_, k) => [k, n * k]);
      broadcast(JSON.stringify({ type: 'book', n: n++, depth }));
      if (i % 100 === 0) await new Promise(setImmediate);
    }
  });
}
