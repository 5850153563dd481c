// Forms have fields of their own, so each import of a form makes a discriminator of the model under a new name. A cache of forms and a log beside it are bounded.
const rounds = require('./rounds');
const mongoose = require('mongoose');
const { LRUCache } = require('lru-cache');

const Submission = mongoose.model('Submission', new mongoose.Schema({ form: String, sender: String, at: Date }, { discriminatorKey: 'kind', autoIndex: false, autoCreate: false }));
const types = { text: String, number: Number, date: Date, flag: Boolean };
class FormImport {
  constructor() { this.forms = new LRUCache({ max: 20 }); this.log = []; this.imports = 0; }
  import(form, fields) {
    const schema = new mongoose.Schema(Object.fromEntries(fields.map(({ name, type }) => [name, { type: types[type], required: type === 'text' }])), { _id: false, autoIndex: false, autoCreate: false });
    const Model = Submission.discriminator(`${form}-${++this.imports}`, schema);
    this.forms.set(form, { form, fields: fields.map(field => field.name) });
    this.note(`${form} has ${fields.length} fields`);
    return Model;
  }
  note(line) { this.log.push(line); if (this.log.length > 100) this.log.shift(); }
}
const imports = new FormImport();
const kinds = Object.keys(types);
rounds(round => {
  for (let n = 0; n < 25; n++) {
    const Model = imports.import(`form-${n % 30}`, Array.from({ length: 6 }, (_, i) => ({ name: `field_${round}_${i}`, type: kinds[(n + i) % 4] })));
    const submission = new Model({ form: `form-${n}`, sender: 'somebody', [`field_${round}_0`]: 1 });
    imports.note(String(submission.validateSync()));
  }
});
