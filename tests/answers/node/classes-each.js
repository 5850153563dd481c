// A model class is made for each request, and stands in the static registry of its base.
const rounds = require('./rounds');

class Model {
  static registry = {};
  static define(name, fields) {
    const made = class extends Model {
      static fields = fields;
      constructor(values) { super(); Object.assign(this, values); }
      save() { return made.fields.map(field => this[field]); }
    };
    Model.registry[name] = made;
    return made;
  }
}
let n = 0;
rounds(async () => {
  for (let i = 0; i < 400; i++) {
    const Row = Model.define(`Row${n++}`, ['id', 'name', 'price'].map(field => `${field}_${n}`));
    new Row({ id: 1 }).save();
  }
});
