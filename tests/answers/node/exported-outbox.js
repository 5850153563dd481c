// Mails that could not be sent wait in a list that the module exports.
const rounds = require('./rounds');

class Mail {
  constructor(to) { this.to = to; this.subject = `Your order, ${to}`; this.parts = [{ type: 'text', body: `Dear ${to}` }, { type: 'html', body: `<p>${to}` }]; }
}
exports.outbox = [];
exports.send = async mail => {
  try {
    await null;
    throw new Error('greylisted');
  } catch {
    exports.outbox.push(mail);
  }
};

let n = 0;
rounds(async () => {
  for (let i = 0; i < 700; i++) await exports.send(new Mail(`customer${n++}@example.org`));
});
