// Asks a service without end, four requests at a time; on SIGTERM prints how many came back and how many were lost.
const http = require('node:http');
const port = Number(process.argv[2]);
let [done, lost, stop] = [0, 0, false];
const agent = new http.Agent({ keepAlive: false });
const ask = () => new Promise((resolve) => {
  const request = http.get({ port, host: '127.0.0.1', path: '/', agent }, (response) => {
    response.resume();
    response.on('end', () => { if (response.statusCode === 200) done += 1; else lost += 1; resolve(); });
    response.on('error', () => { lost += 1; resolve(); });
  });
  request.on('error', () => { lost += 1; resolve(); });
});
process.on('SIGTERM', () => { stop = true; });
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
Promise.all([1, 2, 3, 4].map(async () => { while (!stop) { await ask(); await pause(); } }))
  .then(() => { console.log(`${done} ${lost}`); process.exit(0); });
