// GraphQL with a DataLoader for each request.
const rounds = require('./rounds');
const DataLoader = require('dataloader');
const { graphql, buildSchema } = require('graphql');

const schema = buildSchema('type User { id: Int, name: String, friends: [User] } type Query { user(id: Int): User }');
class User {
  constructor(id) { this.id = id; this.name = `user ${id}`; }
  friends(args, context) { return context.users.loadMany([this.id + 1, this.id + 2]); }
}
const rootValue = { user: ({ id }, context) => context.users.load(id) };
let n = 0;
rounds(async () => {
  for (let i = 0; i < 400; i++) {
    const contextValue = { users: new DataLoader(async ids => ids.map(id => new User(id))) };
    await graphql({ schema, rootValue, contextValue, source: `{ user(id: ${n++}) { name friends { name friends { id } } } }` });
  }
});
