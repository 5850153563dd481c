// A service of hono answers with a context of each request (AsyncLocalStorage), a loader of each request, and a cache of fragments with a limit and a time to live. Some requests wait when a dump is taken.
const rounds = require('./rounds');
const { AsyncLocalStorage } = require('async_hooks');
const { Hono } = require('hono');
const DataLoader = require('dataloader');
const { LRUCache } = require('lru-cache');

const current = new AsyncLocalStorage();
const fragments = new LRUCache({ max: 300, ttl: 60_000, updateAgeOnGet: true });
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

class Context {
  constructor(id, user) {
    this.id = id;
    this.user = user;
    this.trail = [];
    this.authors = new DataLoader(ids => loadAuthors(ids));
  }
  note(text) { this.trail.push({ text, at: performance.now() }); }
}

async function loadAuthors(ids) {
  current.getStore().note(`authors ${ids.length}`);
  await pause(1);
  return ids.map(id => ({ id, name: `author ${id}`, bio: `writes about ${id}`.repeat(3) }));
}

async function article(id) {
  const key = `article:${id}`;
  const known = fragments.get(key);
  if (known) return known;
  const context = current.getStore();
  const authors = await Promise.all([id % 30, id % 31, id % 7].map(author => context.authors.load(author)));
  const text = `<article><h1>${id}</h1>${authors.map(author => `<address>${author.name}: ${author.bio}</address>`).join('')}</article>`;
  fragments.set(key, text);
  return text;
}

let gate = Promise.resolve();
let next = 0;
const app = new Hono();
app.use(async (c, go) => {
  const context = new Context(next++, c.req.header('x-user'));
  await current.run(context, async () => { context.note('begins'); await go(); context.note('ends'); });
});
app.get('/articles/:page', async c => {
  const page = Number(c.req.param('page'));
  const parts = await Promise.all(Array.from({ length: 6 }, (_, n) => article(page * 3 + n)));
  if (c.req.query('wait')) await gate;
  current.getStore().note(`parts ${parts.length}`);
  return c.html(parts.join('\n'));
});

const waiting = [25, 90, 40, 70];
let open = () => {};
rounds(async round => {
  open();
  await pause(5);
  for (let n = 0; n < 40; n++) {
    await Promise.all(Array.from({ length: 20 }, async (_, i) => {
      const answer = await app.request(`/articles/${(n * 7 + i * 13 + round * 400) % 900}`, { headers: { 'x-user': `u${i}` } });
      await answer.text();
    }));
  }
  gate = new Promise(resolve => { open = resolve; });
  for (let n = 0; n < waiting[round]; n++) app.request(`/articles/${n}?wait=1`, { headers: { 'x-user': `w${n}` } });
});
