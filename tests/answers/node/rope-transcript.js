// What is said in a meeting is added to one text, which nobody reads.
const rounds = require('./rounds');

class Transcript {
  static #room;
  static { this.#room = new Transcript('room 12'); }
  static get room() { return this.#room; }
  constructor(name) { this.name = name; this.text = ''; }
  say(who, what) { this.text += who + ': ' + what + '\n'; }
}

rounds(round => {
  for (let i = 0; i < 1500; i++) Transcript.room.say(`speaker ${i % 9}`, `sentence ${i} of part ${round}`);
});
