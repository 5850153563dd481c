// The form of a tenant is checked by a schema that is made for each request, with a name for the documentation.
const rounds = require('./rounds');
const { z } = require('zod');

const kinds = { text: () => z.string().max(200), number: () => z.number().int(), flag: () => z.boolean() };
class FormService {
  constructor() { this.checked = 0; }
  schema(form) {
    const shape = Object.fromEntries(form.fields.map(field => [field.name, kinds[field.kind]()]));
    return z.object(shape).meta({ id: `${form.tenant}/${form.name}/${form.version}`, title: form.name });
  }
  submit(form, values) {
    this.checked++;
    return this.schema(form).safeParse(values).success;
  }
}
const forms = new FormService();
rounds(round => {
  for (let n = 0; n < 60; n++) {
    const fields = [{ name: 'title', kind: 'text' }, { name: 'count', kind: 'number' }, { name: 'urgent', kind: 'flag' }];
    forms.submit({ tenant: `tenant-${n}`, name: 'ticket', version: round, fields }, { title: 'a', count: 1, urgent: false });
  }
});
