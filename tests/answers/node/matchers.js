// A regular expression is compiled once for each text that somebody looks for, and kept.
const rounds = require('./rounds');

const matchers = Object.create(null);
function matcherFor(text) {
  return matchers[text] ??= new RegExp(`(?:^|\\s)${text}(?<rest>\\w*)`, 'iu');
}

let hits = 0;
rounds(round => {
  for (let i = 0; i < 800; i++) hits += matcherFor(`word${round}x${i}`).test(`a text with word${round}x${i}y in it`);
});
