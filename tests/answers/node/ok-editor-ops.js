// Documents that are open keep the steps of their writers, which are put together to one text after each hundred. How many documents are open changes.
const rounds = require('./rounds');

class OpenDocument {
  constructor(id) { this.id = id; this.base = ''; this.steps = []; this.version = 0; }
  write(user, text) {
    this.steps.push({ user, at: this.version++, text, before: this.base.length });
    if (this.steps.length >= 100) this.compact();
  }
  compact() {
    this.base = Buffer.from((this.base + this.steps.map(({ text }) => text).join('')).slice(-2000)).toString();
    this.steps = [];
  }
}
class Editor {
  constructor() { this.open = new Map(); }
  document(id) {
    if (!this.open.has(id)) this.open.set(id, new OpenDocument(id));
    return this.open.get(id);
  }
  close(id) { this.open.delete(id); }
}
const editor = new Editor();
const documents = [60, 85, 70, 110];
rounds(round => {
  for (const id of [...editor.open.keys()]) if (!id.startsWith('minutes')) editor.close(id);
  for (let step = 0; step < 180; step++) {
    for (let n = 0; n < documents[round]; n++) {
      const id = n < 20 ? `minutes-${n}` : `draft-${round}-${n}`;
      if (step < 110 + (n * 13) % 70) editor.document(id).write(`user-${n % 7}`, `word ${step} in ${id}; `);
    }
  }
});
