// Fifty templates of mails are compiled when they are first needed, more seldom each hour; all mails are made from them.
const rounds = require('./rounds');
const Handlebars = require('handlebars');

class MailTemplates {
  constructor() { this.compiled = new Map(); }
  render(name, data) {
    let template = this.compiled.get(name);
    if (!template) this.compiled.set(name, template = Handlebars.compile(`<h1>{{title}} ${name}</h1>{{#each lines}}<p>{{this.text}} {{@index}}</p>{{/each}}`));
    return template(data);
  }
}
const templates = new MailTemplates();
rounds(round => {
  for (let n = 0; n < 1200; n++) {
    templates.render(`mail-${n % [35, 44, 48, 50][round]}`, { title: `Hello ${n}`, lines: [{ text: 'one' }, { text: `two ${round}` }] });
  }
});
