// A server loads a package when it is first needed: another one in each round.
const rounds = require('./rounds');

const parts = [
  () => require('lru-cache'),
  () => { const Ajv = require('ajv'); return new Ajv().compile({ type: 'object' }); },
  () => require('handlebars').compile('{{name}}')({ name: 'n' }),
  () => require('winston').createLogger({ silent: true }),
];
rounds(round => {
  for (let n = 0; n <= round; n++) parts[n]();
});
