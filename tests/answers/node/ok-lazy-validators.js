// Schemas of 90 messages are compiled when the first such message comes; rare ones come late. Answers wait in a queue that becomes longer with
// the load and is worked off.
const Ajv = require('ajv');
const PQueue = require('p-queue').default ?? require('p-queue');
const rounds = require('./rounds');

const schemaOf = kind => ({
  $id: `https://shop.example/${kind}.json`, type: 'object', required: ['kind', 'number'],
  properties: { kind: { const: kind }, number: { type: 'integer', minimum: 0 }, note: { type: 'string', maxLength: 80 }, lines: { type: 'array', items: { type: 'object', properties: { article: { type: 'string' }, count: { type: 'integer' } } } } },
});
class Validators {
  constructor() { this.ajv = new Ajv(); this.byKind = new Map(); }
  check(message) {
    let validate = this.byKind.get(message.kind);
    if (!validate) this.byKind.set(message.kind, validate = this.ajv.compile(schemaOf(message.kind)));
    return validate(message);
  }
}
const validators = new Validators();
const queue = new PQueue({ concurrency: 8 });
const waiting = [];
const together = [40, 90, 140, 190];
const kinds = [30, 48, 62, 74];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 900; n++) {
    const message = { kind: `kind-${n % kinds[round]}`, number: last++, note: `message ${last}`, lines: [{ article: `a${n % 9}`, count: 1 }] };
    if (!validators.check(message)) throw new Error('not valid');
    const answer = { message };
    answer.done = new Promise(resolve => { answer.resolve = resolve; });
    waiting.push(answer);
    queue.add(() => answer.done);
    while (waiting.length > together[round]) waiting.shift().resolve();
    if (n % 60 === 0) await new Promise(done => setImmediate(done));
  }
});
