// Pages are rendered with a client for each request, whose documents stay (apollographql/apollo-client#13036).
const http = require('http');
const { ApolloClient, ApolloLink, InMemoryCache, gql } = require('@apollo/client/core');
const { Observable } = require('rxjs');
const rounds = require('./rounds');

const PRODUCT = gql`query Product($id: ID!) { product(id: $id) { id name price reviews { id stars text author { id name } } } }`;
const MENU = gql`query Menu { categories { id title children { id title } } }`;
const data = {
  Product: ({ id }) => ({ product: { __typename: 'Product', id, name: `Chair ${id}`, price: 49,
    reviews: [1, 2, 3].map(n => ({ __typename: 'Review', id: `${id}-${n}`, stars: n, text: 'fine', author: { __typename: 'User', id: `u${n}`, name: 'Ann' } })) } }),
  Menu: () => ({ categories: [{ __typename: 'Category', id: 1, title: 'Home', children: [{ __typename: 'Category', id: 2, title: 'Chairs' }] }] }),
};

function backend() {
  return new ApolloLink(operation => new Observable(observer => {
    observer.next({ data: data[operation.operationName](operation.variables) });
    observer.complete();
  }));
}

async function render(id) {
  const client = new ApolloClient({ ssrMode: true, link: backend(), cache: new InMemoryCache() });
  const [product, menu] = await Promise.all([client.query({ query: PRODUCT, variables: { id } }), client.query({ query: MENU })]);
  const html = `<nav>${menu.data.categories.map(c => c.title)}</nav><h1>${product.data.product.name}</h1>`;
  const state = JSON.stringify(client.extract());
  client.stop();
  return `${html}<script>window.__APOLLO_STATE__=${state}</script>`;
}

const server = http.createServer(async (request, response) => response.end(await render(request.url.slice(1))));
rounds(async round => {
  if (round === 0) await new Promise(done => server.listen(0, done));
  for (let i = 0; i < 250; i++) await (await fetch(`http://localhost:${server.address().port}/${i}`)).text();
});
