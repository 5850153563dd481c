// Each request has a time limit of a day that is not cleared when the request is over.
const rounds = require('./rounds');

class RequestContext {
  constructor(n) {
    this.headers = { host: 'shop', accept: '*/*', n };
    this.body = new Array(50).fill(n);
  }
}
function handle(n) {
  const context = new RequestContext(n);
  setTimeout(function expire() { context.body = null; }, 86_400_000);
  return context.headers.n;
}

rounds(round => {
  for (let i = 0; i < 500; i++) handle(round * 500 + i);
});
