// A server with one long connection enters a new context for each request, on top of that of the request before.
const rounds = require('./rounds');
const { AsyncLocalStorage, AsyncResource } = require('async_hooks');

const tracing = new AsyncLocalStorage();
class RequestSpan {
  constructor(url, parent) {
    this.url = url;
    this.parent = parent;
    this.tags = { method: 'GET', url, started: Date.now(), body: `answer to ${url}`.repeat(4) };
  }
}

// A proxy has a single upstream connection, which never goes idle.
let wake;
const connection = tracing.run(undefined, async () => {
  for (;;) {
    const url = await new Promise(resolve => { wake = resolve; });
    if (url === null) break;
    const store = tracing.getStore();
    tracing.enterWith({ ...store, span: new RequestSpan(url, store?.span) });
  }
});

rounds(async round => {
  for (let i = 0; i < 500; i++) {
    wake(`/feed/${round}/${i}`);
    await null; await null; await null;
  }
});
