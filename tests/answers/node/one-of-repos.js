// Of six identity maps that of orders is never cleared.
const rounds = require('./rounds');
class Entity { constructor(kind, id) { this.kind = kind; this.id = id; this.fields = { name: `${kind} ${id}` }; } }
class Repository { constructor(kind) { this.kind = kind; this.loaded = new Map(); } find(id) { let e = this.loaded.get(id); if (!e) this.loaded.set(id, e = new Entity(this.kind, id)); return e; } clear() { this.loaded.clear(); } }
const repositories = Object.fromEntries(['user', 'order', 'article', 'address', 'invoice', 'coupon'].map(kind => [kind, new Repository(kind)]));
let n = 0;
rounds(async () => {
  for (let i = 0; i < 500; i++, n++) { for (const kind in repositories) repositories[kind].find(n); if (n % 25 === 0) for (const kind in repositories) if (kind !== 'order') repositories[kind].clear(); }
});
