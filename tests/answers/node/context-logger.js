// A logger keeps a request's debug lines with its context of AsyncLocalStorage and writes them when an error comes. Most requests have none,
// and their lines stay. Sessions are beside it, and become more with the load.
const { AsyncLocalStorage } = require('async_hooks');
const rounds = require('./rounds');

const context = new AsyncLocalStorage();
const createLogger = write => {
  const pending = new Set();
  return {
    debug(message, fields) {
      const store = context.getStore();
      store.lines ??= [];
      store.lines.push({ message, fields, at: store.lines.length });
      pending.add(store);
    },
    error(message) {
      const store = context.getStore();
      for (const line of store.lines ?? []) write(line.message);
      write(message);
      pending.delete(store);
    },
    waiting: () => pending.size,
  };
};
let written = 0;
const log = createLogger(() => { written++; });
const sessions = new Map();
async function loadUser(id) {
  log.debug('load user', { id });
  await null;
  return { id, name: `user ${id}` };
}
async function handle(request) {
  const user = await loadUser(request.user);
  log.debug('user loaded', { name: user.name, path: request.path });
  sessions.set(request.session, { user, last: request.path });
  await new Promise(done => setImmediate(done));
  log.debug('answered', { status: request.number % 90 ? 200 : 500 });
  if (request.number % 90 === 0) log.error(`failed ${request.path}`);
}
const together = [60, 140, 220, 300];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 700; n += 10) {
    await Promise.all(Array.from({ length: 10 }, () => {
      const number = last++;
      const request = { number, user: number % 50, session: `session ${number}`, path: `/articles/${number % 300}` };
      return context.run({ request, requestId: `request-${number}` }, () => handle(request));
    }));
    while (sessions.size > together[round]) sessions.delete(sessions.keys().next().value);
  }
});
