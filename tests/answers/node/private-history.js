// Private state is in a WeakMap, as compilers write it; a service that lives long keeps each of its answers there.
const rounds = require('./rounds');

const _history = new WeakMap();
class Answer {
  constructor(question) { this.question = question; this.words = `${question} is answered`.split(' '); }
}
class Assistant {
  constructor() { _history.set(this, []); }
  ask(question) {
    const answer = new Answer(question);
    _history.get(this).push(answer);
    return answer;
  }
}
const assistant = new Assistant();
rounds(round => {
  for (let n = 0; n < 1500; n++) assistant.ask(`question ${round}-${n}`);
});
