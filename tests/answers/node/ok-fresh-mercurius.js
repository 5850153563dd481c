// A gateway of GraphQL in its first minutes: queries that come a third time are compiled, parsed ones are kept up to a number, loaders live for a request.
const fastify = require('fastify');
const mercurius = require('mercurius');
const rounds = require('./rounds');

const app = fastify();
app.register(mercurius, {
  schema: `
    type Author { id: ID! name: String! books(first: Int = 3): [Book!]! }
    type Book { id: ID! title: String! pages: Int! author: Author! tags: [String!]! reviews: [Review!]! }
    type Review { text: String! stars: Int! }
    type Query { book(id: ID!): Book author(id: ID!): Author newest(first: Int = 5): [Book!]! }
  `,
  jit: 3,
  cache: 64,
  resolvers: {
    Query: {
      book: (_, { id }) => bookOf(Number(id)),
      author: (_, { id }) => ({ id, name: `Author ${id}` }),
      newest: (_, { first }) => Array.from({ length: first }, (_, n) => bookOf(n)),
    },
    Author: { books: (author, { first }) => Array.from({ length: first }, (_, n) => bookOf(n + Number(author.id))) },
    Book: { reviews: book => [{ text: `fine: ${book.title}`, stars: 4 }] },
  },
  loaders: { Book: { author: async queries => queries.map(({ obj }) => ({ id: String(obj.id % 9), name: `Author ${obj.id % 9}` })) } },
});
const bookOf = id => ({ id, title: `Book ${id}`, pages: 100 + id, tags: ['new', `shelf ${id % 6}`] });

const parts = ['title', 'pages', 'tags', 'author { name }', 'reviews { text stars }', 'author { books(first: 2) { title } }'];
const queries = Array.from({ length: 120 }, (_, n) => {
  const fields = ['id', ...parts.filter((_, i) => ((n + 1) >> i) & 1)].join(' ');
  return n % 2 ? `query B${n}($id: ID!) { book(id: $id) { ${fields} } }` : `query N${n} { newest(first: ${n % 5 + 1}) { ${fields} } }`;
});
let seed = 7;
const random = () => (seed = seed * 48271 % 2147483647) / 2147483647;
rounds(async round => {
  for (let n = 0; n < 150 + 100 * round; n++) {
    const query = queries[Math.floor(queries.length * random() ** 2)];
    await app.inject({ method: 'POST', url: '/graphql', payload: { query, variables: query.includes('$id') ? { id: String(n % 40) } : {} } });
  }
});
