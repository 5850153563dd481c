// Answers of name servers with a time to live, swept now and then.
const rounds = require('./rounds');
class Answer { constructor(host, until, addresses) { this.host = host; this.until = until; this.addresses = addresses; } }
const dns = new Map(); let clock = 0, n = 0;
const lookup = (host, ttl) => { const a = dns.get(host); if (a && a.until > clock) return a; dns.delete(host); const made = new Answer(host, clock + ttl, ttl > 10 ? [`10.1.${n % 250}.1`] : []); dns.set(host, made); return made; };
rounds(async round => { for (let t = 0; t < 100; t++) { clock++; for (let i = 0; i < 10 + 2 * round; i++, n++) { lookup(`host-${(n * 31) % 600}.internal`, 50); lookup(`typo-${n}.example`, 10); } if (t % 10 === 9) for (const [h, a] of dns) if (a.until <= clock) dns.delete(h); } });
