// A page is rendered with a client of queries of its own. One query says that it may be kept for a day, and its timer keeps the whole request for that long.
const rounds = require('./rounds');
const { AsyncLocalStorage } = require('async_hooks');
const { QueryClient } = require('@tanstack/query-core');

class RenderContext {
  constructor(url) {
    this.url = url;
    this.headers = { host: 'shop.example', cookie: `session=${url}`, accept: 'text/html' };
    this.parts = [];
  }
}
const rendering = new AsyncLocalStorage();

async function limits() { return { uploads: 20, bytes: 5e6, kinds: ['jpeg', 'png', 'webp'] }; }
async function page(url) {
  const client = new QueryClient();
  const { uploads } = await client.fetchQuery({ queryKey: ['limits'], queryFn: limits, gcTime: 24 * 3600 * 1000 });
  const { parts } = rendering.getStore();
  for (let n = 0; n < 12; n++) parts.push(`<li>${n} of ${uploads} at ${url}</li>`);
  return parts.join('');
}
rounds(async round => {
  for (let n = 0; n < 250; n++) {
    const url = `/album/${round}-${n}`;
    await rendering.run(new RenderContext(url), () => page(url));
  }
});
