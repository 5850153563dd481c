// Each tenant listens to an event of the whole program, to forget its caches, and stays with that.
import rounds from './rounds.js';

class Tenant {
  constructor(name) {
    this.name = name;
    this.settings = Array.from({ length: 15 }, (_, n) => `${name} ${n}`);
    globalThis.addEventListener('flush', () => { this.settings = []; });
  }
}
rounds(round => {
  for (let n = 0; n < 400; n++) new Tenant(`tenant-${round}-${n}`);
});
