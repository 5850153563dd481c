// A server writes down each request that was too slow, as the request itself; all are.
import rounds from './rounds.js';

class SlowRequest {
  constructor(request, took) { this.request = request; this.took = took; this.steps = ['read', 'answer'].map(step => ({ step, took })); }
}
const slowLog = { requests: [], add(request, took) { this.requests.push(new SlowRequest(request, took)); } };
const server = Deno.serve({ port: 0, onListen() {} }, request => {
  slowLog.add(request, 2);
  return new Response('ok');
});
rounds(async round => {
  for (let n = 0; n < 200; n++) await (await fetch(`http://localhost:${server.addr.port}/orders/${round}-${n}`)).text();
});
