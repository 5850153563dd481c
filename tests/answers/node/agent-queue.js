// The other side hangs. An agent with two sockets lets all further requests wait, without a time limit.
const rounds = require('./rounds');
const http = require('http');

const stuck = http.createServer(() => {});
const ready = new Promise(resolve => stuck.listen(0, resolve));
const billingAgent = new http.Agent({ keepAlive: true, maxSockets: 2 });

function charge(order) {
  const body = JSON.stringify({ order, items: new Array(20).fill(order) });
  const request = http.request({
    port: stuck.address().port, path: `/charge/${order}`, method: 'POST', agent: billingAgent,
    headers: { 'content-type': 'application/json', 'content-length': body.length },
  }, response => response.resume());
  request.on('error', () => {});
  request.end(body);
}

let n = 0;
rounds(async () => {
  await ready;
  for (let i = 0; i < 250; i++) {
    charge(n++);
    if (i % 50 === 0) await new Promise(setImmediate);
  }
});
