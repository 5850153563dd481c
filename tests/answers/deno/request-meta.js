// What a middleware finds out of a request stands in a Map by the request, and only requests that fail take it out again. Streams that are
// open become more.
import rounds from './rounds.js';

const meta = new Map();
class Visitor {
  constructor(request, number) { this.user = request.headers.get('x-user'); this.number = number; this.rights = ['read', number % 3 ? 'write' : 'none']; }
}
async function handle(request, number) {
  meta.set(request, new Visitor(request, number));
  if (number % 25 === 0) {
    meta.delete(request);
    return new Response('no', { status: 500 });
  }
  return Response.json({ user: meta.get(request).user, number });
}
const open = [];
const together = [10, 20, 30, 40];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 500; n++) {
    const number = last++;
    const request = new Request(`http://shop.example/articles/${number % 70}`, { headers: { 'x-user': `user ${number}`, accept: 'application/json' } });
    open.push(await handle(request, number));
    while (open.length > together[round]) await open.shift().text();
  }
});
