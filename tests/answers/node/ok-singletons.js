// Parts of an application are made when they are first needed: some in the first round, one in each later round.
const rounds = require('./rounds');

const made = new Map();
const get = (name, make) => { if (!made.has(name)) made.set(name, make()); return made.get(name); };
class TaxTable { constructor(country) { this.country = country; this.rates = Array.from({ length: 500 }, (_, i) => ({ code: i, rate: i / 1000 })); } }
class Mailer { constructor() { this.templates = Array.from({ length: 200 }, (_, i) => `template ${i}`); } }
class PdfFonts { constructor() { this.widths = Array.from({ length: 60 }, () => new Float64Array(128)); } }
const countries = ['de', 'fr', 'it', 'es'];
rounds(round => {
  get('mailer', () => new Mailer());
  get(`tax-${countries[round]}`, () => new TaxTable(countries[round]));
  if (round === 2) get('fonts', () => new PdfFonts());
  for (let n = 0; n < 3000; n++) get('mailer').templates[n % 200].length;
});
