// What is to be done at exit is bound to its session.
const rounds = require('./rounds');

const hooks = { atExit: [], atStart: [] };
class Session {
  constructor(n) {
    this.token = `token-${n}`;
    this.basket = new Array(30).fill(n);
    hooks.atExit.push(this.save.bind(this));
  }
  save() {
    return this.basket.length;
  }
}

rounds(round => {
  for (let i = 0; i < 700; i++) new Session(round * 700 + i);
});
