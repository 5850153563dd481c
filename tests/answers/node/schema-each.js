// A schema that is an equal, but new, object for each request is compiled each time; ajv keeps what it compiled by object.
const rounds = require('./rounds');
const Ajv = require('ajv');

const ajv = new Ajv();
function validateOrder(body, limit) {
  const schema = {
    type: 'object',
    required: ['sku', 'amount'],
    properties: { sku: { type: 'string', minLength: 2 }, amount: { type: 'integer', maximum: limit } },
  };
  return ajv.compile(schema)(body);
}

rounds(async round => {
  for (let i = 0; i < 150; i++) {
    validateOrder({ sku: 'ab', amount: i }, 100 + round);
    if (i % 20 === 0) await new Promise(setImmediate);
  }
});
