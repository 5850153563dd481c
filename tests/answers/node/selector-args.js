// A selector of the order list takes the words of a search, and remembers its answer for each of them.
const rounds = require('./rounds');
const { createStore } = require('redux');
const { createSelector } = require('reselect');

const statuses = ['open', 'paid', 'sent'];
const initial = { orders: Array.from({ length: 60 }, (_, id) => ({ id, status: statuses[id % 3], customer: `customer ${id}` })), seen: 0 };
const store = createStore((state = initial, action) => action.type === 'seen' ? { ...state, seen: state.seen + 1 } : state);

const selectOrders = state => state.orders;
const selectMatching = createSelector([selectOrders, (state, words) => words], (orders, words) =>
  orders.filter(order => order.status !== 'sent' && words.length > 3).slice(0, 8).map(order => ({ ...order, found: words })));

class OrderSearch {
  constructor(store) { this.store = store; }
  find(words) {
    this.store.dispatch({ type: 'seen' });
    return selectMatching(this.store.getState(), words);
  }
}
const search = new OrderSearch(store);
rounds(round => { for (let n = 0; n < 900; n++) search.find(`ring ${round} of ${n}`); });
