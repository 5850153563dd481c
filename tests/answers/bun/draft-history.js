// An editor takes a copy of its document before each change, and each copy knows the one before, so that one can go back to the first.
const rounds = require('./rounds');

class Draft {
  constructor(state, previous) { this.state = state; this.previous = previous; this.number = previous ? previous.number + 1 : 0; }
}
class Editor {
  constructor() { this.document = { title: 'plan', blocks: Array.from({ length: 10 }, (_, n) => ({ id: n, text: `block ${n}`, marks: [n, n + 1] })) }; this.draft = null; }
  change(edit) {
    this.draft = new Draft(structuredClone(this.document), this.draft);
    edit(this.document);
  }
  back() {
    if (!this.draft) return;
    this.document = this.draft.state;
    this.draft = this.draft.previous;
  }
}
const editor = new Editor();
rounds(round => {
  for (let n = 0; n < 400; n++) editor.change(document => { document.blocks[n % 10].text = `block ${n} of ${round}`; });
  for (let n = 0; n < 50; n++) editor.back();
});
