// Each attempt of an agent makes an AsyncLocalStorage for its transcript and never disables it, so that Node has a list of all of them
// (openclaw/openclaw#141132).
const { AsyncLocalStorage } = require('async_hooks');
const rounds = require('./rounds');

class Transcript {
  constructor(attempt) {
    this.attempt = attempt;
    this.lines = [];
    this.current = new AsyncLocalStorage();
  }
  async run(work) { return this.current.run({ attempt: this.attempt }, work); }
  note(text) { this.lines.push(`${this.current.getStore()?.attempt}: ${text}`); }
  dispose() { this.lines.length = 0; }
}
const running = [];
const together = [10, 25, 40, 55];
const outcomes = new Map();
let last = 0;
rounds(async round => {
  for (let n = 0; n < 800; n++) {
    const transcript = new Transcript(last++);
    await transcript.run(async () => { transcript.note('asked'); transcript.note('answered'); });
    running.push(transcript);
    outcomes.set(`task ${n % 120}`, { attempt: transcript.attempt, lines: transcript.lines.length });
    while (running.length > together[round]) running.shift().dispose();
  }
});
