// Connections listen to a store while they are open; how many are open changes with the hour.
const rounds = require('./rounds');
const { createStore } = require('zustand/vanilla');

const board = createStore(set => ({ scores: {}, score: (team, points) => set(({ scores }) => ({ scores: { ...scores, [team]: points } })) }));
class Viewer {
  constructor(name) { this.name = name; this.shown = Array.from({ length: 10 }, (_, n) => ({ n, text: `row ${n} for ${name}` })); this.stop = board.subscribe(({ scores }) => this.draw(scores)); }
  draw(scores) { this.shown[0].text = `${Object.keys(scores).length} teams`; }
  close() { this.stop(); }
}
class ScoreServer {
  constructor() { this.viewers = []; }
  hour(round, open) {
    while (this.viewers.length > open) this.viewers.shift().close();
    for (let n = 0; n < 600; n++) {
      this.viewers.push(new Viewer(`viewer-${round}-${n}`));
      if (this.viewers.length > open) this.viewers.shift().close();
      if (n % 30 === 0) board.getState().score(`team-${n % 20}`, n);
    }
  }
}
const scores = new ScoreServer();
rounds(round => scores.hour(round, [280, 420, 310, 390][round]));
