// A reducer copies each notice at each action, and there are ever more.
const rounds = require('./rounds');
const reducer = (state, action) => ({ ...state, notices: [...state.notices.map(notice => ({ ...notice, seen: true })), { id: `notice-${action.n}`, body: `Order ${action.n} shipped`, seen: false }] });
const app = { state: { notices: [] } };
let n = 0;
rounds(async () => { for (let i = 0; i < 300; i++) app.state = reducer(app.state, { n: n++ }); });
