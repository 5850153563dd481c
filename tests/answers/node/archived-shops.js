// A service opens the database of a shop when it is asked for, and closes it; the manager of connections keeps them
// (alantech/iasql#1911).
const express = require('express');
const http = require('http');
require('reflect-metadata');
const { createConnection, getConnectionManager, EntitySchema } = require('typeorm');
const rounds = require('./rounds');

const Product = new EntitySchema({
  name: 'Product', tableName: 'products',
  columns: { id: { type: 'int', primary: true, generated: true }, title: { type: 'varchar' }, price: { type: 'int' } },
  relations: { orders: { type: 'one-to-many', target: 'Order', inverseSide: 'product' } },
});
const Order = new EntitySchema({
  name: 'Order', tableName: 'orders',
  columns: { id: { type: 'int', primary: true, generated: true }, amount: { type: 'int' }, placed: { type: 'varchar' } },
  relations: { product: { type: 'many-to-one', target: 'Product', inverseSide: 'orders', joinColumn: true } },
});

async function withShop(shop, work) {
  const connection = await createConnection({
    name: `shop-${shop}-${Date.now()}-${Math.random()}`, type: 'sqljs', entities: [Product, Order], synchronize: true });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

const app = express();
app.get('/shops/:shop/sales', async (request, response) => {
  const sales = await withShop(request.params.shop, async connection => {
    const products = connection.getRepository('Product');
    const { id } = await products.save({ title: 'Chair', price: 4900 });
    await connection.getRepository('Order').save([{ amount: 2, placed: '2024-05-01', product: { id } }, { amount: 1, placed: '2024-05-02', product: { id } }]);
    return products.createQueryBuilder('p').leftJoinAndSelect('p.orders', 'o').getMany();
  });
  response.json({ shop: request.params.shop, sold: sales[0].orders.length });
});

const server = http.createServer(app);
rounds(async round => {
  if (round === 0) await new Promise(done => server.listen(0, done));
  for (let i = 0; i < 50; i++) {
    const answer = await fetch(`http://localhost:${server.address().port}/shops/${i % 10}/sales`);
    if ((await answer.json()).sold !== 2) throw new Error('wrong');
  }
});
