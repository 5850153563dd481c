// State in a Proxy knows the effects that read it. Views that have gone never stop theirs.
const rounds = require('./rounds');

const targetMap = new WeakMap();
let activeEffect;
class ReactiveEffect {
  constructor(run) { this.run = run; this.deps = []; }
  start() { activeEffect = this; try { this.run(); } finally { activeEffect = undefined; } }
}
function track(target, key) {
  if (!activeEffect) return;
  let deps = targetMap.get(target);
  if (!deps) targetMap.set(target, deps = new Map());
  let dep = deps.get(key);
  if (!dep) deps.set(key, dep = new Set());
  dep.add(activeEffect);
  activeEffect.deps.push(dep);
}
const reactive = target => new Proxy(target, {
  get(of, key) { track(of, key); return of[key]; },
  set(of, key, value) { of[key] = value; for (const effect of targetMap.get(of)?.get(key) ?? []) effect.run(); return true; },
});

const cart = reactive({ total: 0, items: [] });
class CartBadge {
  constructor(n) {
    this.n = n;
    this.cells = new Array(30).fill(n);
    new ReactiveEffect(() => { this.text = `${cart.total} Euro`; }).start();
  }
}

rounds(round => {
  for (let i = 0; i < 300; i++) new CartBadge(round * 300 + i);
});
