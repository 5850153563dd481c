// The state of an editor is reactive, by proxies at each depth; drafts that were sent stay in it.
const rounds = require('./rounds');

const proxies = new WeakMap();
let changes = 0;
const handler = {
  get(target, key, self) { const value = Reflect.get(target, key, self); return typeof value === 'object' && value !== null ? reactive(value) : value; },
  set(target, key, value, self) { changes++; return Reflect.set(target, key, value, self); },
};
function reactive(target) {
  if (!proxies.has(target)) proxies.set(target, new Proxy(target, handler));
  return proxies.get(target);
}
class Draft { constructor(id) { this.id = id; this.text = `draft ${id}`; this.marks = [1, 2, 3]; } }
const editor = reactive({ open: 0, folders: { sent: { drafts: [] }, inbox: { drafts: [] } } });
let id = 0;
rounds(() => { for (let n = 0; n < 900; n++) { editor.folders.sent.drafts.push(new Draft(id++)); editor.folders.sent.drafts[id - 1].marks.push(4); } });
