// Lists of mobx are replaced and watched; what watches them is disposed of.
const rounds = require('./rounds');
const { observable, reaction, runInAction } = require('mobx');

const board = observable({ cards: [], title: 'today' });
rounds(async round => {
  for (let n = 0; n < 60; n++) {
    let seen = 0;
    const stop = reaction(() => board.cards.length, length => { seen = length; });
    runInAction(() => { board.title = `day ${round}-${n}`; board.cards = Array.from({ length: 40 }, (_, card) => ({ card, text: `${round}-${n}-${card}` })); });
    stop();
  }
});
