// A store is a proxy around its state, so that changes are seen. Drafts in it are never taken away.
const rounds = require('./rounds');

function observe(state, changed) {
  return new Proxy(state, { set(target, key, value) { target[key] = value; changed(key); return true; } });
}
let changes = 0;
class Draft { constructor(n) { this.n = n; this.paragraphs = Array.from({ length: 12 }, (_, m) => `${n}: paragraph ${m}`); } }
const editorStore = observe({ drafts: {}, user: 'guest' }, () => changes++);
let n = 0;
rounds(async () => {
  for (let i = 0; i < 600; i++) editorStore.drafts[`draft-${n}`] = new Draft(n++);
  editorStore.user = `user-${n}`;
});
