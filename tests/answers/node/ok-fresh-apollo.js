// An Apollo server in its first minutes: documents that clients send are parsed once and kept up to a size, loaders live as long as
// their request.
const { ApolloServer } = require('@apollo/server');
const DataLoader = require('dataloader');
const rounds = require('./rounds');

const typeDefs = `#graphql
  interface Node { id: ID! }
  type User implements Node { id: ID! name: String! articles(first: Int = 5): [Article!]! followers: [User!]! }
  type Article implements Node { id: ID! title: String! text(length: Int): String! author: User! comments: [Comment!]! tags: [String!]! }
  type Comment implements Node { id: ID! text: String! author: User! }
  input ArticleInput { title: String!, tags: [String!] }
  type Query { article(id: ID!): Article user(id: ID!): User newest(first: Int = 10): [Article!]! node(id: ID!): Node }
  type Mutation { write(input: ArticleInput!): Article! }
`;

class Database {
  users(ids) { return ids.map(id => ({ __typename: 'User', id, name: `User ${id}` })); }
  article(id) { return { __typename: 'Article', id, title: `Article ${id}`, author: Number(id) % 50, tags: ['news', `t${id % 7}`] }; }
}

const resolvers = {
  Node: { __resolveType: node => node.__typename },
  Query: {
    article: (_, { id }, { db }) => db.article(id),
    user: (_, { id }, { users }) => users.load(id),
    newest: (_, { first }, { db }) => Array.from({ length: first }, (_, i) => db.article(String(i))),
    node: (_, { id }, { db }) => db.article(id),
  },
  Mutation: { write: (_, { input }, { db }) => ({ ...db.article('1'), ...input }) },
  User: {
    articles: (user, { first }, { db }) => Array.from({ length: first }, (_, i) => db.article(String(i))),
    followers: (user, _, { users }) => users.loadMany(['1', '2', '3']),
  },
  Article: {
    text: (article, { length }) => `text of ${article.title} `.repeat(5).slice(0, length ?? undefined),
    author: (article, _, { users }) => users.load(String(article.author)),
    comments: article => [1, 2].map(n => ({ id: `${article.id}-${n}`, text: 'fine', author: n })),
  },
  Comment: { author: (comment, _, { users }) => users.load(String(comment.author)) },
};

// What the clients of the last two years send: two hundred documents, some of them seldom.
const parts = ['title', 'tags', 'text(length: 20)', 'author { name }', 'comments { text author { name } }', 'id', 'author { followers { name } }'];
const documents = Array.from({ length: 200 }, (_, n) => {
  const fields = parts.filter((_, i) => ((n + 1) >> i) & 1).concat('id').join(' ');
  return n % 3 === 0 ? `query Newest${n} { newest(first: ${n % 9 + 1}) { ${fields} } }`
    : n % 3 === 1 ? `query Article${n}($id: ID!) { article(id: $id) { ${fields} } }`
      : `query Node${n}($id: ID!) { node(id: $id) { id ... on Article { ${fields} } } user(id: $id) { name articles(first: 2) { ${fields} } } }`;
});

const db = new Database();
const server = new ApolloServer({ typeDefs, resolvers });
let seed = 1;
const random = () => (seed = seed * 48271 % 2147483647) / 2147483647;
rounds(async round => {
  if (round === 0) await server.start();
  for (let i = 0; i < 300 + 150 * round; i++) {
    const query = documents[Math.floor(documents.length * random() ** 2)];
    const contextValue = { db, users: new DataLoader(async ids => db.users(ids)) };
    const { body } = await server.executeOperation({ query, variables: { id: String(i % 100) } }, { contextValue });
    if (body.singleResult.errors) throw new Error(JSON.stringify(body.singleResult.errors));
  }
});
