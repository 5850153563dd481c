// An agent of undici keeps a pool for each origin that web hooks were sent to.
const rounds = require('./rounds');
const http = require('http');
const { Agent, request } = require('undici');

const server = http.createServer((req, res) => { req.resume(); res.end('{}'); });
const ready = new Promise(resolve => server.listen(0, '0.0.0.0', resolve));
class WebhookSender {
  constructor() { this.agent = new Agent({ keepAliveTimeout: 1, keepAliveMaxTimeout: 1, connections: 1 }); this.sent = 0; }
  async send(host, event) {
    const { body } = await request(`http://${host}:${server.address().port}/hook`, { method: 'POST', body: JSON.stringify(event), dispatcher: this.agent });
    await body.dump();
    this.sent++;
  }
}
const webhooks = new WebhookSender();
rounds(async round => {
  await ready;
  for (let n = 0; n < 120; n++) await webhooks.send(`127.0.${round + 1}.${n + 1}`, { paid: n });
  await new Promise(resolve => setTimeout(resolve, 200));
});
