// A fastify server under steady load.
const rounds = require('./rounds');
const fastify = require('fastify');

const app = fastify();
app.decorateRequest('user', null);
app.addHook('onRequest', async request => { request.user = request.headers.user; });
app.get('/item/:id', async request => ({ id: request.params.id, user: request.user }));

rounds(async round => {
  for (let i = 0; i < 500; i++) await app.inject({ url: `/item/${i}`, headers: { user: `u${round}` } });
});
