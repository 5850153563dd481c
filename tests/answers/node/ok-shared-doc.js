// A document is written by many, and what one can take back is the last fifty steps; the server takes rows off its head.
const rounds = require('./rounds');
const Y = require('yjs');

class Chat {
  constructor() {
    this.doc = new Y.Doc();
    this.lines = this.doc.getArray('lines');
    this.undo = new Y.UndoManager(this.lines, { captureTimeout: 0, trackedOrigins: new Set(['me']) });
    this.undo.on('stack-item-added', () => { if (this.undo.undoStack.length > 50) this.undo.undoStack.shift(); });
  }
  say(text) {
    this.doc.transact(() => this.lines.push([text]), 'me');
    // What the user takes off is kept, so that it can be taken back.
    if (this.lines.length > 200) this.doc.transact(() => this.lines.delete(0, this.lines.length - 200), 'server');
  }
}
const chat = new Chat();
rounds(round => { for (let n = 0; n < 500; n++) chat.say(`line ${n} of hour ${round}`); });
