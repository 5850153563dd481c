// Every request of a tenant makes a connection of mongoose with models of its own, and never closes it.
const rounds = require('./rounds');
const mongoose = require('mongoose');

const orderSchema = new mongoose.Schema({ number: Number, customer: String, lines: [{ sku: String, price: Number }] });

function handle(tenant) {
  const connection = mongoose.createConnection();
  const Order = connection.model('Order', orderSchema);
  const order = new Order({ number: 1, customer: tenant, lines: [{ sku: 'a', price: 2 }] });
  return order.toObject();
}

let n = 0;
rounds(async () => {
  for (let i = 0; i < 40; i++) handle(`tenant-${n++}`);
});
