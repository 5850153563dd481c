// What is worked out for a request is kept in a WeakMap by the request, and goes with it. Thirty requests are open.
const rounds = require('./rounds');

const rightsOf = new WeakMap();
class Request { constructor(id) { this.id = id; } }
class Rights { constructor(request) { this.rules = Array.from({ length: 30 }, (_, i) => `${request.id} may ${i}`); } }
const open = [];
rounds(round => {
  for (let n = 0; n < 2000; n++) {
    const request = new Request(`${round}-${n}`);
    rightsOf.set(request, new Rights(request));
    open.push(request);
    if (open.length > 30) open.shift();
  }
});
