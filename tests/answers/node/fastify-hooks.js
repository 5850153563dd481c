// A hook of a fastify server keeps the requests of which it wants to know the time.
const rounds = require('./rounds');
const fastify = require('fastify');

const app = fastify();
const timeline = [];
app.addHook('onRequest', async request => {
  timeline.push({ started: 1, request });
});
app.get('/', async () => 'ok');

rounds(async round => {
  for (let i = 0; i < (round ? 100 : 300); i++) await app.inject('/');
});
