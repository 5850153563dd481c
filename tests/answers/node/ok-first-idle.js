// The first dump is of an idle server; then requests make functions hot and load modules. Nothing of a request stays.
const rounds = require('./rounds');

let app;
async function start() {
  const fastify = require('fastify')();
  fastify.get('/sum/:n', { schema: { response: { 200: { type: 'object', properties: { n: { type: 'number' }, list: { type: 'array', items: { type: 'number' } } } } } } },
    async request => ({ n: Number(request.params.n), list: [1, 2, 3] }));
  await fastify.listen({ port: 0 });
  return fastify;
}
rounds(async round => {
  if (round < 2) return;
  const fastify = await (app ??= start());
  for (let i = 0; i < 500; i++) await fastify.inject(`/sum/${i}`);
});
