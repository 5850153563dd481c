// What a robot writes into a shared document can be taken back, step by step, to the first one.
const rounds = require('./rounds');
const Y = require('yjs');

class SharedBoard {
  constructor() {
    this.doc = new Y.Doc();
    this.cards = this.doc.getMap('cards');
    this.undo = new Y.UndoManager(this.cards, { captureTimeout: 0, trackedOrigins: new Set(['robot']) });
  }
  move(card, column, at) { this.doc.transact(() => this.cards.set(card, `${column}:${at}`), 'robot'); }
}
const board = new SharedBoard();
const columns = ['todo', 'doing', 'done'];
rounds(round => { for (let n = 0; n < 700; n++) board.move(`card-${n % 40}`, columns[n % 3], round * 700 + n); });
