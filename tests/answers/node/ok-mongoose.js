// Documents of mongoose are made, changed and let go; models are made once.
const rounds = require('./rounds');
const mongoose = require('mongoose');

const Order = mongoose.model('Order', new mongoose.Schema({ number: Number, lines: [{ sku: String, price: Number }] }));
let n = 0;
rounds(async () => {
  for (let i = 0; i < 300; i++) {
    const order = new Order({ number: n++, lines: [{ sku: 'a', price: n }, { sku: 'b', price: 2 }] });
    await order.validate();
    order.lines.push({ sku: 'c', price: 3 });
    JSON.stringify(order);
  }
});
