// A service of fastify that keeps each session it has begun. GET /?N begins N; prints PORT N.
const fastify = require('fastify')();

class Session { constructor(id) { this.id = id; this.user = { name: `user ${id}`, since: Date.now() }; } }
const sessions = new Map();

fastify.get('/', async (request) => {
  for (let count = Number(Object.keys(request.query)[0] ?? 1); count > 0; count--) sessions.set(sessions.size, new Session(sessions.size));
  return { sessions: sessions.size };
});
fastify.listen({ port: 0, host: '127.0.0.1' }).then(() => console.log(`PORT ${fastify.server.address().port}`));
