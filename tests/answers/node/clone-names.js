// All state is copied by structuredClone with each action, and its cards become more.
const rounds = require('./rounds');
class Board { constructor() { this.current = { cards: [], title: 'sprint' }; } edit(change) { const draft = structuredClone(this.current); change(draft); this.current = draft; } }
const board = new Board();
let n = 0;
rounds(async () => { for (let i = 0; i < 60; i++) board.edit(draft => { for (let c = 0; c < 10; c++) draft.cards.push({ key: `CARD-${++n}`, text: `fix number ${n}`, done: n % 2 === 0 }); }); });
