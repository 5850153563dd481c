// An export is a web stream, and clients read it slowly; the answer takes all of it at once (GHSA-mrq3-vjjr-p77c).
const net = require('net');
const fastify = require('fastify');
const rounds = require('./rounds');

const row = (exported, n) => `${exported};${n};Chair, oak, ${n % 40} cm;${(n * 7) % 1000};in stock\n`;

class ExportJob {
  constructor(id, rows) {
    this.id = id;
    this.rows = rows;
    this.written = 0;
  }

  stream() {
    return new ReadableStream({
      pull: controller => {
        let part = '';
        for (let i = 0; i < 100 && this.written < this.rows; i++) part += row(this.id, this.written++);
        if (!part) return controller.close();
        controller.enqueue(Buffer.from(part));
      },
    });
  }
}

const app = fastify();
app.get('/exports/:id', (request, reply) => {
  reply.header('Content-Type', 'text/csv').send(new ExportJob(request.params.id, 300000).stream());
});
app.get('/health', async () => ({ ok: true }));

// Readers of a slow line: they take the first bytes, and then no more.
const readers = [];
const slowReader = (port, id) => new Promise(done => {
  const socket = net.connect(port, '127.0.0.1', () => socket.write(`GET /exports/${id} HTTP/1.1\r\nHost: x\r\n\r\n`));
  socket.once('data', () => { socket.pause(); readers.push(socket); done(); });
});

let port, id = 0;
rounds(async () => {
  port ??= new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port;
  for (let i = 0; i < 2; i++) await slowReader(port, id++);
  for (let i = 0; i < 100; i++) await app.inject('/health');
  await new Promise(done => setTimeout(done, 1500));
});
