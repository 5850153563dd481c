// Taxes and texts are worked out once for each country and kind of goods, by memoize of lodash. There are 27 countries and 40 kinds; the seldom ones come late.
const rounds = require('./rounds');
const _ = require('lodash');

const countries = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');
const kinds = Array.from({ length: 40 }, (_, n) => `kind ${n}`);

class TaxRule {
  constructor(country, kind) {
    this.country = country;
    this.kind = kind;
    this.steps = Array.from({ length: 6 }, (_, n) => ({ above: n * 1000, rate: 0.05 + (country.charCodeAt(0) % 5 + n) / 100 }));
    this.text = `In ${country} goods of ${kind} are taxed in ${this.steps.length} steps`;
  }
  of(price) { return this.steps.findLast(step => price >= step.above).rate * price; }
}

const ruleFor = _.memoize((country, kind) => new TaxRule(country, kind), (country, kind) => `${country}/${kind}`);
const formatterFor = _.memoize(country => new Intl.NumberFormat(`${country.toLowerCase()}-${country}`, { style: 'currency', currency: 'EUR' }));

// A generator of numbers that gives the same each time, so that what is seldom stays seldom.
let state = 42;
const chance = () => { state = (state * 1103515245 + 12345) % 2147483648; return state / 2147483648; };
const pick = list => list[Math.floor(list.length * chance() ** 2.2)];

class Invoice {
  constructor(number, country) {
    this.number = number;
    this.country = country;
    this.lines = [];
  }
  add(kind, price) { this.lines.push({ kind, price, tax: ruleFor(this.country, kind).of(price) }); }
  print() {
    const format = formatterFor(this.country);
    const grouped = _.groupBy(this.lines, 'kind');
    return _.map(grouped, (lines, kind) => `${kind}: ${format.format(_.sumBy(lines, 'price'))} + ${format.format(_.sumBy(lines, 'tax'))}`).join('\n');
  }
}

let printed = 0;
rounds(round => {
  for (let n = 0; n < 250; n++) {
    const invoice = new Invoice(`${round}-${n}`, pick(countries));
    for (let line = 0; line < 4; line++) invoice.add(pick(kinds), 10 + n * line);
    printed += invoice.print().length;
  }
});
