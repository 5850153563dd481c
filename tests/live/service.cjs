// A service that leaks a session for each request, and says how long its main thread stood still.
// GET / leaks one, /leak?N leaks N; /worst is the longest pause in milliseconds since it was asked last; /own?FILE has the machine, which
// may be Deno's or Bun's, write its own snapshot; /busy keeps the main thread busy for three seconds. Prints PORT N.
const http = require('node:http');
const v8 = require('node:v8');
const { Worker } = require('node:worker_threads');

class Session { constructor(n) { this.id = n; this.text = `session ${n} of someone`; } }
class Basket { constructor(n) { this.lines = [n, n + 1]; } }
const sessions = new Map();
const baskets = [];
globalThis.app = { sessions, baskets };
let n = 0;
const leak = () => { sessions.set(n, new Session(n)); if (n % 10 === 0) baskets.push(new Basket(n)); n += 1; };
const size = Number(process.argv[2] ?? 20000);
while (n < size) leak();

let last = performance.now();
let worst = 0;
setInterval(() => { const now = performance.now(); worst = Math.max(worst, now - last); last = now; }, 5);

if (process.argv[3] === 'workers') {
  const source = 'class Barrel {}; globalThis.all = []; for (let i = 0; i < 700; i++) all.push(new Barrel()); setInterval(() => {}, 1000);';
  new Worker(source, { eval: true, name: 'barrels' });
}
if (process.argv[3] === 'handler') process.on('SIGUSR1', () => console.log('USR1'));

const server = http.createServer((request, response) => {
  const [path, file] = decodeURIComponent(request.url).split('?');
  switch (path) {
    case '/worst': response.end(`${Math.round(worst)}\n`); worst = 0; break;
    case '/leak': for (let i = 0; i < Number(file); i++) leak(); response.end('ok\n'); break;
    case '/own':
      if (globalThis.Bun) require('node:fs').writeFileSync(file, JSON.stringify(Bun.generateHeapSnapshot()));
      else v8.writeHeapSnapshot(file);
      response.end('done\n');
      break;
    case '/busy': { const end = Date.now() + 3000; while (Date.now() < end); response.end('done\n'); break; }
    default: leak(); response.end('ok\n');
  }
});
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => console.log(`PORT ${server.address().port}`));
