// Views listen to a store by weak references, a registry of finalisation takes away those that have gone; each request ends its own timers and listeners by a signal.
const rounds = require('./rounds');
const { setTimeout: sleep } = require('timers/promises');

class WeakEmitter {
  #listeners = new Map();
  #next = 0;
  #registry = new FinalizationRegistry(id => this.#listeners.delete(id));
  subscribe(owner, method) {
    const id = this.#next++;
    this.#listeners.set(id, { owner: new WeakRef(owner), method });
    this.#registry.register(owner, id, owner);
  }
  emit(value) {
    for (const [id, { owner, method }] of this.#listeners) {
      const target = owner.deref();
      if (target) target[method](value); else this.#listeners.delete(id);
    }
  }
  get size() { return this.#listeners.size; }
}

class PriceView {
  constructor(emitter, article) {
    this.article = article;
    this.seen = [];
    emitter.subscribe(this, 'priceChanged');
  }
  priceChanged(price) {
    this.seen.push({ price, text: `${this.article} costs ${price}` });
    if (this.seen.length > 20) this.seen.shift();
  }
}

class Desk {
  constructor(emitter) {
    this.emitter = emitter;
    this.open = [];
    this.stop = new AbortController();
    this.bus = new EventTarget();
  }
  show(article) {
    this.open.push(new PriceView(this.emitter, article));
    if (this.open.length > 30) this.open.shift();
  }
  async question(n) {
    const done = new AbortController();
    const signal = AbortSignal.any([done.signal, this.stop.signal]);
    const notes = [];
    this.bus.addEventListener('news', event => notes.push(event.detail), { signal });
    try {
      await Promise.race([sleep(1, n, { signal }), sleep(5000, null, { signal })]);
      this.bus.dispatchEvent(new CustomEvent('news', { detail: `question ${n}` }));
      return notes.length;
    } finally {
      done.abort();
    }
  }
}

const emitter = new WeakEmitter();
const desk = new Desk(emitter);
let answered = 0;
process.on('unhandledRejection', error => { if (error.name !== 'AbortError') throw error; });
const load = [80, 260, 150, 320];
rounds(async round => {
  for (let n = 0; n < load[round]; n++) {
    desk.show(`article ${round}-${n}`);
    if (n % 5 === 0) emitter.emit(n % 97);
    answered += await desk.question(n);
  }
});
