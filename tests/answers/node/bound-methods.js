// A cache of React-like selectors: one for each component that was ever mounted, in an array inside of an array.
const rounds = require('./rounds');

function createStore() {
  let state = { items: [] };
  let listeners = [];
  return {
    getState: () => state,
    dispatch: action => { state = { ...state, last: action }; for (const listener of listeners) listener(); },
    subscribe: listener => { listeners.push(listener); return () => { listeners = listeners.filter(l => l !== listener); }; },
  };
}
const store = createStore();
class ProductCard {
  constructor(id) { this.id = id; this.props = { title: `Product ${id}`, tags: new Array(20).fill(id) }; }
  mount() { store.subscribe(this.update.bind(this)); }
  update() { this.last = store.getState().last; }
}

let n = 0;
rounds(async round => {
  for (let i = 0; i < 500; i++) new ProductCard(n++).mount();
  store.dispatch({ type: 'refresh', round });
});
