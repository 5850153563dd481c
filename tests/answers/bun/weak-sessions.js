// Documents that are open are known by weak references, so that nothing is kept; the record beside each reference stays when its document has gone.
const rounds = require('./rounds');

class DocumentRecord {
  constructor(id, document) {
    this.id = id;
    this.document = new WeakRef(document);
    this.rights = Array.from({ length: 6 }, (_, n) => ({ role: `role ${n} of ${id}`, write: n % 2 === 0 }));
  }
}
class OpenDocuments {
  constructor() { this.records = new Map(); this.opened = 0; }
  open(id) {
    const document = { id, text: `text of ${id}`, changes: [1, 2, 3] };
    this.records.set(id, new DocumentRecord(id, document));
    this.opened++;
    return document;
  }
  find(id) { return this.records.get(id)?.document.deref(); }
}
const documents = new OpenDocuments();
rounds(round => {
  for (let n = 0; n < 500; n++) {
    const document = documents.open(`doc-${round}-${n}`);
    document.changes.push(n);
  }
});
