// Loaders of GraphQL stand at the module and not in each request's context, so that what was ever loaded stays; carts come and go, and become more.
const { graphql, buildSchema } = require('graphql');
const DataLoader = require('dataloader');
const rounds = require('./rounds');

class Product {
  constructor(id) { this.id = id; this.title = `Product number ${id}`; this.tags = [`tag ${id % 11}`, `tag ${id % 13}`]; }
}
class Customer {
  constructor(id) { this.id = id; this.name = `Customer ${id}`; }
}
const loaders = {
  products: new DataLoader(async ids => ids.map(id => new Product(Number(id)))),
  customers: new DataLoader(async ids => ids.map(id => new Customer(Number(id) % 40)), { cacheKeyFn: id => Number(id) % 40 }),
};
const schema = buildSchema(`
  type Product { id: ID!, title: String!, tags: [String!]! }
  type Customer { id: ID!, name: String! }
  type Order { id: ID!, customer: Customer!, products: [Product!]! }
  type Query { order(id: ID!): Order }
`);
const rootValue = {
  order: ({ id }) => ({
    id,
    customer: () => loaders.customers.load(id),
    products: () => loaders.products.loadMany([id * 2, id * 2 + 1]),
  }),
};
const carts = new Map();
const together = [50, 120, 190, 260];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 600; n++) {
    const id = last++;
    const { data } = await graphql({ schema, rootValue, source: 'query($id: ID!) { order(id: $id) { id customer { name } products { title tags } } }', variableValues: { id } });
    carts.set(id, { opened: Date.now(), order: data.order });
    while (carts.size > together[round]) carts.delete(carts.keys().next().value);
  }
});
