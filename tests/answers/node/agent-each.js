// A client is made for each tenant's report, with an agent that keeps its connections, and thrown away.
const rounds = require('./rounds');
const http = require('http');

const server = http.createServer((req, res) => res.end('{}'));
server.keepAliveTimeout = 0;
const ready = new Promise(resolve => server.listen(0, resolve));
class TenantApi {
  constructor(tenant) { this.tenant = tenant; this.agent = new http.Agent({ keepAlive: true }); }
  report() {
    return new Promise((resolve, reject) => {
      http.get({ port: server.address().port, agent: this.agent, path: `/${this.tenant}` }, r => r.resume().on('end', resolve)).on('error', reject);
    });
  }
}
let n = 0;
rounds(async () => {
  await ready;
  for (let i = 0; i < 60; i++) await new TenantApi(`tenant-${n++}`).report();
});
