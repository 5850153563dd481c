// A server answers with streams that are read to their end, finds its way by patterns that are made once, and knows documents weakly. A window of ids drops doubles. Some streams are open when a dump is taken.
import rounds from './rounds.js';

class Documents {
  constructor() {
    this.known = new Map();
    this.gone = new FinalizationRegistry(name => { if (!this.known.get(name)?.deref()) this.known.delete(name); });
    this.recent = [];
  }
  open(name) {
    let document = this.known.get(name)?.deref();
    if (!document) {
      document = { name, lines: Array.from({ length: 30 }, (_, n) => `${name} line ${n}`) };
      this.known.set(name, new WeakRef(document));
      this.gone.register(document, name);
    }
    this.recent.push(document);
    if (this.recent.length > 25) this.recent.shift();
    return document;
  }
}

class SeenWindow {
  constructor(size) {
    this.ids = new Set();
    this.order = new Array(size).fill(null);
    this.at = 0;
  }
  first(id) {
    if (this.ids.has(id)) return false;
    const old = this.order[this.at];
    if (old !== null) this.ids.delete(old);
    this.order[this.at] = id;
    this.at = (this.at + 1) % this.order.length;
    this.ids.add(id);
    return true;
  }
}

const documents = new Documents();
const seen = new SeenWindow(500);
const encoder = new TextEncoder();
let gate = Promise.withResolvers();
const routes = [
  { pattern: new URLPattern({ pathname: '/documents/:name' }), run: ({ name }) => streamOf(documents.open(name)) },
  { pattern: new URLPattern({ pathname: '/slow/:name' }), run: ({ name }) => streamOf(documents.open(name), gate.promise) },
  { pattern: new URLPattern({ pathname: '/count' }), run: () => new Response(String(documents.known.size)) },
];

function streamOf(document, wait) {
  let line = 0;
  return new Response(new ReadableStream({
    async pull(controller) {
      if (wait && line === 3) await wait;
      if (line === document.lines.length) controller.close();
      else controller.enqueue(encoder.encode(`${document.lines[line++]}\n`));
    },
  }));
}

function answer(request) {
  if (!seen.first(request.headers.get('x-id'))) return new Response('again', { status: 409 });
  for (const { pattern, run } of routes) {
    const found = pattern.exec(request.url);
    if (found) return run(found.pathname.groups);
  }
  return new Response('not found', { status: 404 });
}

const ask = (path, id) => answer(new Request(`http://shop.test${path}`, { headers: { 'x-id': id } }));
let read = 0;
const waiting = [20, 70, 35, 90];
rounds(async round => {
  gate.resolve();
  gate = Promise.withResolvers();
  await new Promise(resolve => setTimeout(resolve, 10));
  for (let n = 0; n < 400; n++) {
    const reply = ask(`/documents/d${(n * 17 + round * 90) % 800}`, `${round}-${n - n % 40 % 2}`);
    read += (await reply.text()).length;
  }
  for (let n = 0; n < waiting[round]; n++) ask(`/slow/d${n}`, `w-${round}-${n}`).text().then(text => { read += text.length; });
});
