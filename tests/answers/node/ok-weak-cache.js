// Documents are kept weakly by name, and a registry takes away the names of those that are gone.
const rounds = require('./rounds');

const documents = new Map();
const gone = new FinalizationRegistry(name => { if (!documents.get(name)?.deref()) documents.delete(name); });
class Page { constructor(name) { this.name = name; this.words = Array.from({ length: 40 }, (_, n) => `${name}-${n}`); } }
function open(name) {
  let page = documents.get(name)?.deref();
  if (!page) {
    page = new Page(name);
    documents.set(name, new WeakRef(page));
    gone.register(page, name);
  }
  return page;
}
let n = 0;
let last;
rounds(async () => {
  for (let i = 0; i < 600; i++) {
    last = open(`page-${n++}`);
    if (i % 20 === 0) await new Promise(setImmediate);
  }
  await new Promise(resolve => setTimeout(resolve, 50));
});
