// A worker waits for jobs with a command that blocks, on the connection that everything else of the program uses, too.
const rounds = require('./rounds');
const Redis = require('ioredis');
const { Worker } = require('worker_threads');

// A server that answers what comes in order, and blocks at BRPOP.
const server = new Worker(`
  const net = require('net');
  const { parentPort } = require('worker_threads');
  const server = net.createServer(socket => {
    let blocked = false;
    socket.on('error', () => {});
    socket.on('data', data => {
      if (/brpop/i.test(data)) blocked = true;
      if (!blocked) socket.write('+OK\\r\\n'.repeat(String(data).split('*').length - 1));
    });
  });
  server.listen(0, () => parentPort.postMessage(server.address().port));
`, { eval: true });

class VisitCounter {
  constructor(redis) { this.redis = redis; this.failed = 0; }
  visit(shop, user) {
    const at = new Date(1700000000000 + user * 1000);
    this.redis.hset(`shop:${shop}`, { last: at.toISOString(), user: `user-${user}` }).catch(() => this.failed++);
  }
}
server.on('message', async port => {
  const redis = new Redis({ port, host: '127.0.0.1', enableReadyCheck: false, maxRetriesPerRequest: null });
  const counter = new VisitCounter(redis);
  await redis.set('started', 1);
  redis.brpop('jobs', 0).then(() => {}, () => {});
  rounds(round => { for (let n = 0; n < 500; n++) counter.visit(n % 40, round * 500 + n); });
});
