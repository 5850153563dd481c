// Mails register a partial of their own for the greeting of each customer.
const rounds = require('./rounds');
const Handlebars = require('handlebars');

class MailRenderer {
  constructor() { this.engine = Handlebars.create(); }
  render(customer) {
    const name = `greeting-${customer.id}`;
    this.engine.registerPartial(name, `<p>Dear {{customer.name}}, your code is ${customer.code}.</p>`);
    return this.engine.compile(`{{> ${name}}}<p>{{customer.id}}</p>`)({ customer });
  }
}
const mails = new MailRenderer();
rounds(round => { for (let n = 0; n < 60; n++) mails.render({ id: round * 60 + n, name: `N${n}`, code: (n * 7919).toString(36) }); });
