// Each page that is rendered on the server makes a client for its queries and mounts it; nobody unmounts it.
const rounds = require('./rounds');

class FocusManager {
  #listeners = new Set();
  subscribe(listener) { this.#listeners.add(listener); return () => this.#listeners.delete(listener); }
  focused() { for (const listener of this.#listeners) listener(true); }
}
const focusManager = new FocusManager();

class Query {
  constructor(key, state) { this.queryHash = JSON.stringify(key); this.state = state; this.observers = []; }
}
class QueryCache {
  #queries = new Map();
  add(query) { this.#queries.set(query.queryHash, query); }
  get(key) { return this.#queries.get(JSON.stringify(key)); }
  onFocus() { for (const query of this.#queries.values()) query.state.stale = true; }
}
class QueryClient {
  #queryCache = new QueryCache();
  #unsubscribeFocus;
  mount() { this.#unsubscribeFocus = focusManager.subscribe(async focused => { if (focused) this.#queryCache.onFocus(); }); }
  unmount() { this.#unsubscribeFocus?.(); }
  async fetchQuery(key, load) { this.#queryCache.add(new Query(key, { data: await load(), stale: false })); }
  getQueryData(key) { return this.#queryCache.get(key).state.data; }
}
async function renderPage(path) {
  const client = new QueryClient();
  client.mount();
  await client.fetchQuery(['page', path], async () => ({ path, blocks: Array.from({ length: 12 }, (_, i) => ({ id: i, html: `<p>${path}/${i}</p>` })) }));
  return client.getQueryData(['page', path]).blocks.length;
}
rounds(async round => {
  for (let n = 0; n < 250; n++) await renderPage(`/p/${round}/${n}`);
});
