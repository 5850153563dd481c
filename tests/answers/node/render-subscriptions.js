// Each rendering on the server subscribes to a store that all requests share.
const rounds = require('./rounds');

function createStore(reducer, state) {
  let current = state;
  let listeners = new Map();
  let next = 0;
  return {
    getState: () => current,
    subscribe(listener) { const id = next++; listeners.set(id, listener); return () => listeners.delete(id); },
    dispatch(action) { current = reducer(current, action); listeners.forEach(listener => listener()); },
  };
}
const store = createStore((state, action) => ({ ...state, [action.type]: action.value }), { sale: false });
class Rendering {
  constructor(path) { this.path = path; this.tree = Array.from({ length: 10 }, (_, n) => ({ tag: 'div', key: `${path}-${n}` })); }
  refresh() { this.state = store.getState(); }
}
function render(path) {
  const rendering = new Rendering(path);
  store.subscribe(() => rendering.refresh());
  return rendering.tree.length;
}
rounds(round => {
  for (let n = 0; n < 700; n++) render(`/p/${round}/${n}`);
  store.dispatch({ type: 'sale', value: round % 2 > 0 });
});
