// A map from names to WeakRefs. The documents go, the entries stay.
const rounds = require('./rounds');

class LoadedDocument {
  constructor(name) { this.name = name; this.words = new Array(200).fill(name); }
}
class DocumentStore {
  constructor() { this.byName = new Map(); }
  open(name) {
    const found = this.byName.get(name)?.deref();
    if (found) return found;
    const document = new LoadedDocument(name);
    this.byName.set(name, new WeakRef(document));
    return document;
  }
}
const documentStore = new DocumentStore();

let n = 0;
rounds(async () => {
  for (let i = 0; i < 6000; i++) {
    documentStore.open(`/archive/2024/document-${n++}.txt`);
    if (i % 500 === 0) await new Promise(setImmediate);
  }
});
