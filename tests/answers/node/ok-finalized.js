// Documents are known by weak references, and a registry takes their names out of the table when they have gone.
const rounds = require('./rounds');

class Document {
  constructor(name) { this.name = name; this.lines = Array.from({ length: 10 }, (_, n) => `${name}: line ${n}`); }
}
const open = new Map();
const gone = new FinalizationRegistry(name => { if (!open.get(name)?.deref()) open.delete(name); });
const read = name => {
  const document = new Document(name);
  open.set(name, new WeakRef(document));
  gone.register(document, name);
  return document;
};
rounds(async round => {
  for (let n = 0; n < 600; n++) { read(`${round}-${n}`); if (n % 100 === 0) await new Promise(setImmediate); }
});
