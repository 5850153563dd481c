// A formatter for each language and currency: all 90 are there after the first round.
const rounds = require('./rounds');

const languages = ['de', 'en', 'fr', 'es', 'it', 'nl', 'pl', 'sv', 'tr'];
const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'SEK', 'PLN', 'TRY', 'DKK', 'NOK'];
const formats = new Map();
function format(language, currency, amount) {
  const key = `${language}:${currency}`;
  let found = formats.get(key);
  if (!found) formats.set(key, found = new Intl.NumberFormat(language, { style: 'currency', currency }));
  return found.format(amount);
}

let letters = 0;
rounds(round => {
  for (let i = 0; i < 2000; i++) letters += format(languages[i % 9], currencies[i % 10], i * round).length;
});
