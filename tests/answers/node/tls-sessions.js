// A server of TLS keeps the sessions of its clients, so that they come back quickly, by their number, as the manual of Node shows it. Most never come back, and no session is dropped.
const rounds = require('./rounds');
const tls = require('tls');

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6n32Dv/0haHHW/1B
TAhfwol5F2sUwb2epTXC8pbnGsuhRANCAASLVbvTd2vtrKCC6EMn5maVTPJh557J
gm+4f+VMPHh8bWwlD391oTQvf++WcRxxEzaRaJHkMvc9wIa7Hb3b2/D3
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUdL7KB6Rn2POgRXVeyA9p54+GuaUwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJc2hvcC50ZXN0MCAXDTI2MTEyNzE1NTg0NFoYDzIxMjYxMTAz
MTU1ODQ0WjAUMRIwEAYDVQQDDAlzaG9wLnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASLVbvTd2vtrKCC6EMn5maVTPJh557Jgm+4f+VMPHh8bWwlD391oTQv
f++WcRxxEzaRaJHkMvc9wIa7Hb3b2/D3o1MwUTAdBgNVHQ4EFgQU0UbEk5OeZoBg
j5W8Wu1a0YgQzFswHwYDVR0jBBgwFoAU0UbEk5OeZoBgj5W8Wu1a0YgQzFswDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiANXHDjb7QNMefWXTrqDD4J
X0E8VoSLeiDma30wOzuJ2gIhAMHpoAJVoEsxlvtOCgGAFm1jviK3u90C6KuIFr0a
hisB
-----END CERTIFICATE-----`;

class ResumeStore {
  constructor() {
    this.byNumber = {};
    this.resumed = 0;
  }
  keep(id, data) { this.byNumber[id.toString('hex')] = data; }
  find(id) {
    const data = this.byNumber[id.toString('hex')] ?? null;
    if (data) this.resumed++;
    return data;
  }
}

class Terminal {
  constructor(socket) {
    this.socket = socket;
    this.commands = 0;
    socket.on('data', bytes => this.answer(String(bytes)));
    socket.on('error', () => socket.destroy());
  }
  answer(text) {
    this.commands++;
    this.socket.write(`${text.length} letters, command ${this.commands}`);
  }
}

class TerminalServer {
  constructor() {
    this.store = new ResumeStore();
    this.open = new Set();
    this.server = tls.createServer({ key, cert, maxVersion: 'TLSv1.2', honorCipherOrder: true, secureOptions: require('constants').SSL_OP_NO_TICKET }, socket => {
      const terminal = new Terminal(socket);
      this.open.add(terminal);
      socket.once('close', () => this.open.delete(terminal));
    });
    this.server.on('newSession', (id, data, done) => { this.store.keep(id, data); done(); });
    this.server.on('resumeSession', (id, done) => done(null, this.store.find(id)));
  }
  listen() { return new Promise(resolve => this.server.listen(0, '127.0.0.1', resolve)); }
}

const visit = (port, session) => new Promise((resolve, reject) => {
  let kept;
  const socket = tls.connect({ port, host: '127.0.0.1', servername: 'shop.test', rejectUnauthorized: false, session, maxVersion: 'TLSv1.2' });
  socket.on('session', data => { kept = data; });
  socket.on('secureConnect', () => socket.write('what is there'));
  socket.on('data', () => socket.end());
  socket.on('close', () => resolve(kept));
  socket.on('error', reject);
});

const service = new TerminalServer();
const ready = service.listen();
rounds(async () => {
  await ready;
  const port = service.server.address().port;
  for (let n = 0; n < 160; n += 8) {
    const sessions = await Promise.all(Array.from({ length: 8 }, () => visit(port)));
    if (n % 40 === 0) await visit(port, sessions[0]);
  }
});
