// Islands of pages that were rendered on the server, by page and props.
import rounds from './rounds.js';

class Island {
  constructor(name, props) { this.name = name; this.props = props; this.html = [`<div data-${name}>`, JSON.stringify(props), '</div>']; }
}
export class IslandStore {
  #rendered = new Map();
  render(name, props) {
    const key = `${name}:${JSON.stringify(props)}`;
    if (!this.#rendered.has(key)) this.#rendered.set(key, new Island(name, props));
    return this.#rendered.get(key);
  }
}
const islands = new IslandStore();
rounds(round => {
  for (let n = 0; n < 1500; n++) islands.render('Counter', { start: round * 1500 + n });
});
