// A server with requests that leave nothing.
const rounds = require('./rounds');

const server = Bun.serve({ port: 0, fetch: async request => Response.json({ path: new URL(request.url).pathname }) });
rounds(async round => {
  for (let n = 0; n < 300; n++) await (await fetch(`http://localhost:${server.port}/${round}/${n}`)).json();
});
