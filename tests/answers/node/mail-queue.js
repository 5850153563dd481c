// Mails are in a list. The sender walks along it and never lets go of its beginning.
const rounds = require('./rounds');

class Mail {
  next = null;
  constructor(to) { this.to = to; this.body = ['Dear', to, 'your order is on its way', Math.random()]; }
}
class Mailer {
  first = new Mail('nobody');
  last = this.first;
  sent = this.first;
  push(mail) { this.last = this.last.next = mail; }
  sendAll() { let n = 0; while (this.sent.next) { this.sent = this.sent.next; n++; } return n; }
}
const mailer = new Mailer();

rounds(round => {
  for (let i = 0; i < 900; i++) mailer.push(new Mail(`customer-${round}-${i}@example.org`));
  mailer.sendAll();
});
