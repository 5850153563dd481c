// The last 60 minutes, each with sums by user; traffic rises.
const rounds = require('./rounds');
class UserSum { constructor() { this.hits = 0; this.paths = new Set(); } }
class Bucket { constructor(minute) { this.minute = minute; this.users = new Map(); } }
const windowed = { buckets: [] }; let minute = 0;
rounds(async round => { for (let m = 0; m < 80; m++, minute++) { const b = new Bucket(minute); for (let i = 0; i < 20 + 5 * round; i++) { const user = `u${(minute * 37 + i * 11) % 900}`; let s = b.users.get(user); if (!s) b.users.set(user, s = new UserSum()); s.hits++; s.paths.add(`/p${i}`); } windowed.buckets.push(b); if (windowed.buckets.length > 60) windowed.buckets.shift(); } });
