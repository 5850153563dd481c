// A store with a history of all states, made for debugging, is built into the server.
const rounds = require('./rounds');

function createStore(reduce, state, enhance) {
  if (enhance) return enhance(createStore)(reduce, state);
  return { dispatch(action) { state = reduce(state, action); return action; }, getState: () => state };
}
const timeTravel = create => (reduce, state) => {
  const computedStates = [];
  const store = create((s, action) => {
    const next = reduce(s, action);
    computedStates.push({ action, state: structuredClone(next) });
    return next;
  }, state);
  return { ...store, jumpTo: n => computedStates[n].state };
};
const reduce = (state, action) => ({ ...state, seats: state.seats.map(seat => seat === action.seat ? seat + 100 : seat) });
const store = createStore(reduce, { seats: Array.from({ length: 20 }, (_, n) => n), hall: 'A' }, timeTravel);
let n = 0;
rounds(async () => {
  for (let i = 0; i < 800; i++) store.dispatch({ type: 'book', seat: n++ % 20 });
});
