// Each dialogue opens an interface of readline on the one input of the program, and never closes it.
const rounds = require('./rounds');
const readline = require('readline');
const { PassThrough } = require('stream');

const keyboard = new PassThrough();
keyboard.setMaxListeners(0);
class Dialogue {
  constructor(n) {
    this.n = n;
    this.answers = Array.from({ length: 10 }, (_, m) => ({ m, text: `answer ${m} of ${n}` }));
    this.lines = readline.createInterface({ input: keyboard });
    this.lines.on('line', line => this.answers.push({ text: line }));
  }
}
let n = 0;
rounds(async () => {
  for (let i = 0; i < 150; i++) new Dialogue(n++);
  await new Promise(resolve => setTimeout(resolve, 20));
});
