// A model of a database layer. Each request adds a hook to the model to check who may read.
const rounds = require('./rounds');

class Model {
  static init(name) { this.modelName = name; this.options = { hooks: {}, timestamps: true }; return this; }
  static addHook(type, fn) { (this.options.hooks[type] ??= []).push(fn); }
  static findAll(n) { return Array.from({ length: n }, (_, id) => ({ id })); }
}
class Invoice extends Model {}
class Customer extends Model {}
Invoice.init('invoice');
Customer.init('customer');

function handle(user) {
  const rights = { user, roles: Array.from({ length: 15 }, (_, n) => `${user}:role-${n}`) };
  Invoice.addHook('afterFind', function checkRights(rows) { return rows.filter(row => rights.roles.includes(row.role)); });
  return Invoice.findAll(3).length + Customer.findAll(1).length;
}

rounds(round => {
  for (let i = 0; i < 200; i++) handle(`user-${round}-${i}`);
});
