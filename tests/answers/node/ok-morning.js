// Dumps are taken while the morning's traffic rises: from one to the next more requests wait for their answers, more visitors have a session, and more events wait for the next lot. All of them come and go.
const rounds = require('./rounds');

class Request {
  constructor(id, visitor) {
    this.id = id;
    this.visitor = visitor;
    this.rows = Array.from({ length: 15 }, (_, n) => ({ n, text: `row ${n} of ${id}` }));
  }
}

class Session {
  constructor(visitor) {
    this.visitor = visitor;
    this.basket = [];
    this.touched = 0;
  }
}

class Shop {
  constructor(life) {
    this.life = life;
    this.clock = 0;
    this.sessions = new Map();
    this.waiting = new Set();
    this.events = [];
    this.written = 0;
  }
  session(visitor) {
    if (!this.sessions.has(visitor)) this.sessions.set(visitor, new Session(visitor));
    const session = this.sessions.get(visitor);
    session.touched = this.clock++;
    return session;
  }
  begin(id, visitor) {
    const request = new Request(id, visitor);
    this.session(visitor).basket.push({ id, at: this.clock });
    this.waiting.add(request);
    this.events.push({ id, type: 'begins', at: this.clock });
    return request;
  }
  end(request) { this.waiting.delete(request); }
  flush() {
    this.written += this.events.length;
    this.events = [];
  }
  sweep() {
    for (const [visitor, session] of this.sessions) if (session.touched < this.clock - this.life) this.sessions.delete(visitor);
  }
}

const shop = new Shop(1500);
const visitors = [100, 200, 380, 560];
const late = [50, 130, 240, 330];
rounds(round => {
  for (const request of [...shop.waiting]) shop.end(request);
  for (let n = 0; n < 2000; n++) {
    shop.end(shop.begin(`${round}-${n}`, `v-${round}-${n % visitors[round]}`));
    if (n % 250 === 0) { shop.flush(); shop.sweep(); }
  }
  shop.flush();
  for (let n = 0; n < late[round]; n++) shop.begin(`late-${round}-${n}`, `v-${round}-${n % visitors[round]}`);
});
