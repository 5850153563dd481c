// Selectors remember their last answer; the state has the last hundred orders.
const rounds = require('./rounds');
const { createStore } = require('redux');
const { createSelectorCreator, lruMemoize } = require('reselect');

const reducer = (state = { orders: [] }, action) => action.type === 'add' ? { orders: [...state.orders.slice(-99), action.order] } : state;
const store = createStore(reducer);
const createLastSelector = createSelectorCreator({ memoize: lruMemoize, memoizeOptions: { maxSize: 20 }, argsMemoize: lruMemoize });
const selectPaid = createLastSelector([state => state.orders, (state, status) => status], (orders, status) => orders.filter(order => order.status === status));
class Dashboard {
  constructor(store) { this.stop = store.subscribe(() => { this.paid = selectPaid(store.getState(), 'paid').length; }); }
  close() { this.stop(); }
}
const steady = new Dashboard(store);
rounds(round => {
  const dashboard = new Dashboard(store);
  for (let n = 0; n < 600; n++) store.dispatch({ type: 'add', order: { id: `${round}-${n}`, status: n % 2 ? 'paid' : 'open', lines: [1, 2, 3].map(sku => ({ sku, n })) } });
  dashboard.close();
});
