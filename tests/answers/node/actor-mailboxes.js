// One actor of fifty does not read its mailbox.
const rounds = require('./rounds');
class Letter { constructor(n) { this.n = n; this.body = `letter ${n}`; } }
class Actor { constructor(name) { this.name = name; this.mailbox = []; } tell(l) { this.mailbox.push(l); if (this.name !== 'mailer' && this.mailbox.length > 20) this.mailbox.shift(); } }
const system = { actors: new Map() }; for (let i = 0; i < 49; i++) system.actors.set(`a${i}`, new Actor(`a${i}`)); system.actors.set('mailer', new Actor('mailer')); let n = 0;
rounds(async () => { for (let i = 0; i < 600; i++, n++) { system.actors.get('mailer').tell(new Letter(n)); system.actors.get(`a${n % 49}`).tell(new Letter(n)); } });
