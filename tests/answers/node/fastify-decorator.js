// A decorator of a fastify server has a cache without a limit.
const rounds = require('./rounds');
const fastify = require('fastify');

const app = fastify();
class Profile {
  constructor(user) {
    this.user = user;
    this.rights = new Array(30).fill(user);
  }
}
app.decorate('profileCache', new Map());
app.get('/user/:id', async function (request) {
  const { id } = request.params;
  if (!this.profileCache.has(id)) this.profileCache.set(id, new Profile(id));
  return { id };
});

rounds(async round => {
  for (let i = 0; i < 600; i++) await app.inject(`/user/${round}-${i}`);
});
