// A request over a broker waits once for an event with its own name. Replies that never come leave their event.
const rounds = require('./rounds');
const { EventEmitter } = require('events');

class Inquiry {
  constructor(id) { this.id = id; this.parts = Array.from({ length: 10 }, (_, i) => `${id}/${i}`); }
}
const replies = new EventEmitter();
function request(inquiry) {
  return new Promise(resolve => replies.once(`reply:${inquiry.id}`, answer => resolve({ inquiry, answer })));
}
rounds(round => {
  for (let n = 0; n < 700; n++) request(new Inquiry(`${round}-${n}`));
});
