// A channel for each question; its ports are never closed, so that they live on.
const rounds = require('./rounds');
const { MessageChannel } = require('worker_threads');

class Question {
  constructor(n) {
    this.n = n;
    this.options = new Array(60).fill(n);
  }
}
function ask(n) {
  const question = new Question(n);
  const { port1 } = new MessageChannel();
  port1.on('message', function onAnswer(text) { question.answer = text; });
}

rounds(round => {
  for (let i = 0; i < 150; i++) ask(round * 150 + i);
});
