// Two Sets of tokens that rotate; traffic rises.
const rounds = require('./rounds'); const crypto = require('crypto');
class Dedupe { constructor() { this.now = new Set(); this.before = new Set(); } seen(id) { if (this.now.has(id) || this.before.has(id)) return true; this.now.add(id); return false; } rotate() { this.before = this.now; this.now = new Set(); } }
const dedupe = new Dedupe();
rounds(async round => { for (let t = 0; t < 3; t++) { dedupe.rotate(); for (let i = 0; i < 600 + 200 * round; i++) dedupe.seen(crypto.randomUUID()); } });
