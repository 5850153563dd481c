// A client of GraphQL keeps what it ever read by identity, and lists by their arguments.
const rounds = require('./rounds');

class EntityStore {
  constructor() { this.data = Object.create(null); }
  merge(id, fields) { this.data[id] = { ...this.data[id], ...fields }; }
}
class InMemoryCache {
  constructor() { this.entities = new EntityStore(); }
  write(query, args, products) {
    for (const product of products) this.entities.merge(`Product:${product.id}`, product);
    this.entities.merge('ROOT_QUERY', { [`${query}(${JSON.stringify(args)})`]: products.map(({ id }) => ({ __ref: `Product:${id}` })) });
  }
}
const client = { link: {}, cache: new InMemoryCache() };
rounds(round => {
  for (let n = 0; n < 150; n++) {
    const products = Array.from({ length: 8 }, (_, i) => ({ __typename: 'Product', id: `${round}-${n}-${i}`, name: `Lamp ${i}`, price: i }));
    client.cache.write('search', { after: `${round}-${n}` }, products);
  }
});
