// Mailboxes of fifty actors, all full from the beginning.
const rounds = require('./rounds');
class Letter { constructor(n) { this.n = n; this.body = `letter ${n}`; } }
class Actor { constructor(name) { this.name = name; this.mailbox = []; this.max = name === 'mailer' ? 1000 : 20; } tell(l) { this.mailbox.push(l); if (this.mailbox.length > this.max) this.mailbox.shift(); } }
const system = { actors: new Map() }; for (let i = 0; i < 49; i++) system.actors.set(`a${i}`, new Actor(`a${i}`)); system.actors.set('mailer', new Actor('mailer')); let n = 0;
rounds(async () => { for (let i = 0; i < 1200; i++, n++) { system.actors.get('mailer').tell(new Letter(n)); system.actors.get(`a${n % 49}`).tell(new Letter(n)); } });
