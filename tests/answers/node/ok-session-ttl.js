// Sessions end after a while: about as many come as go.
const rounds = require('./rounds');

class Session { constructor(n) { this.n = n; this.cart = Array.from({ length: 12 }, (_, k) => ({ sku: `${n}-${k}` })); this.used = n; } }
const sessions = new Map();
let clock = 0;
function visit() {
  clock++;
  sessions.set(`sid-${clock}`, new Session(clock));
}
function sweep(age) { for (const [id, session] of sessions) if (clock - session.used > age) sessions.delete(id); }
rounds(async round => {
  for (let i = 0; i < 2000; i++) {
    visit();
    if (i % 250 === 0) sweep([900, 900, 820, 860][round]);
  }
  sweep([900, 900, 820, 860][round]);
});
