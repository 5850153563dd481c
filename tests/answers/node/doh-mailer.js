// A mailer looks up where the mails of a domain go, with DNS over HTTPS (forwardemail/tangerine#12).
const http = require('http');
const packet = require('dns-packet');
const Tangerine = require('tangerine');
const undici = require('undici');
const rounds = require('./rounds');

// A resolver of the data centre, which knows every domain.
const answer = ({ type, name }) => type === 'MX'
  ? [{ type, name, ttl: 300, data: { preference: 10, exchange: `mx.${name}` } }]
  : [{ type: 'A', name, ttl: 300, data: '192.0.2.10' }];
const resolver = http.createServer((request, response) => {
  const query = packet.decode(Buffer.from(new URL(request.url, 'http://x').searchParams.get('dns'), 'base64url'));
  response.setHeader('Content-Type', 'application/dns-message');
  response.end(packet.encode({ type: 'response', id: query.id, flags: packet.RECURSION_DESIRED, questions: query.questions,
    answers: query.questions.flatMap(answer) }));
});

class Mailer {
  constructor(dns) {
    this.dns = dns;
    this.sent = 0;
    this.byHost = new Map();
  }

  async send(mail) {
    const domain = mail.to.split('@')[1];
    const [first] = (await this.dns.resolveMx(domain)).sort((a, b) => a.priority - b.priority);
    const [address] = await this.dns.resolve4(first.exchange);
    this.byHost.set(address, (this.byHost.get(address) ?? 0) + 1);
    this.sent++;
  }
}

let mailer, n = 0;
rounds(async () => {
  if (!mailer) {
    await new Promise(done => resolver.listen(0, done));
    const servers = new Set([`127.0.0.1:${resolver.address().port}`]);
    mailer = new Mailer(new Tangerine({ servers, protocol: 'http', cache: false, requestOptions: { method: 'GET' }, logger: false }, undici.request));
  }
  for (let i = 0; i < 300; i++) {
    n++;
    await mailer.send({ to: `customer${n}@shop${n % 90}.example`, subject: `Order ${n}`, body: 'Thank you' });
  }
});
