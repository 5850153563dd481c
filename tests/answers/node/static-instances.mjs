// Each controller notes itself in a private static set of its class, for a page that lists them.
import { createRequire } from 'node:module';
const rounds = createRequire(import.meta.url)('./rounds');

export class Controller {
  static #instances = new Set();
  #route;
  state = { steps: [] };
  constructor(route) { this.#route = route; Controller.#instances.add(this); }
  run() { for (let i = 0; i < 10; i++) this.state.steps.push({ i, at: this.#route }); }
  static get count() { return Controller.#instances.size; }
}
let n = 0;
rounds(async () => {
  for (let i = 0; i < 900; i++) new Controller(`/page/${n++}`).run();
});
