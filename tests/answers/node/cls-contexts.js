// Continuation-local storage as it was made before AsyncLocalStorage: a map from the number of what runs to its context.
const rounds = require('./rounds');
const hooks = require('async_hooks');

class Namespace {
  constructor(name) {
    this.name = name;
    this.active = null;
    this.contexts = new Map();
    hooks.createHook({
      init: id => { if (this.active) this.contexts.set(id, this.active); },
      before: id => { this.active = this.contexts.get(id) ?? null; },
      after: () => { this.active = null; },
    }).enable(); // no destroy
  }
  run(fn) {
    this.active = { _ns_name: this.name, values: { id: Math.random(), trail: new Array(12).fill(this.name) } };
    try { fn(); } finally { this.active = null; }
  }
}
const requestNamespace = new Namespace('request');

rounds(async () => {
  for (let i = 0; i < 150; i++) requestNamespace.run(() => { Promise.resolve(i).then(n => n + 1); });
  await null;
});
