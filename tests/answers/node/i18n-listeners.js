// Each mail that is rendered wants to know when the language changes.
const rounds = require('./rounds');
const i18next = require('i18next');

i18next.init({ lng: 'de', resources: { de: { translation: { hello: 'Hallo {{name}}' } } }, initImmediate: false });

class MailView {
  constructor(name) {
    this.name = name;
    this.text = '';
    this.lines = Array.from({ length: 30 }, (_, n) => `${name} ${n}`);
    i18next.on('languageChanged', () => this.render());
    this.render();
  }
  render() { this.text = i18next.t('hello', { name: this.name }); }
}

rounds(round => {
  for (let i = 0; i < 250; i++) new MailView(`guest ${round}-${i}`);
});
