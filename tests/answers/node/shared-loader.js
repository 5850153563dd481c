// A DataLoader made once for the process, where each request should have one: it remembers all users for ever.
const rounds = require('./rounds');
const DataLoader = require('dataloader');
const { graphql, GraphQLSchema, GraphQLObjectType, GraphQLString, GraphQLInt, GraphQLList } = require('graphql');

class User {
  constructor(id) {
    this.id = id;
    this.name = `user ${id}`;
    this.email = `user${id}@example.org`;
    this.roles = ['reader', `team-${id}`];
  }
}
const loaders = { user: new DataLoader(async ids => ids.map(id => new User(id))) };
const UserType = new GraphQLObjectType({
  name: 'User', fields: { name: { type: GraphQLString }, email: { type: GraphQLString }, roles: { type: new GraphQLList(GraphQLString) } },
});
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: { user: { type: UserType, args: { id: { type: GraphQLInt } }, resolve: (_, { id }, context) => context.loaders.user.load(id) } },
  }),
});

let id = 0;
rounds(async () => {
  for (let i = 0; i < 900; i++) {
    await graphql({ schema, source: 'query($id: Int) { user(id: $id) { name email roles } }', variableValues: { id: id++ }, contextValue: { loaders } });
  }
});
