// Sessions live a round and a half, and there are more logins each round.
const rounds = require('./rounds');
const crypto = require('crypto');
class Session { constructor(id, user, until) { this.id = id; this.user = user; this.until = until; this.cart = { items: [user] }; } }
const sessions = new Map(); let clock = 0, n = 0;
rounds(async round => { const perTick = (400 + 100 * round) / 100; for (let t = 0; t < 100; t++) { clock++; for (let i = 0; i < perTick; i++) { const id = crypto.randomBytes(12).toString('hex'); sessions.set(id, new Session(id, `user ${n++}`, clock + 150)); } for (const [id, s] of sessions) { if (s.until > clock) break; sessions.delete(id); } } });
