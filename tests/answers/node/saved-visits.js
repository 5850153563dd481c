// Visitors come back, and each visit saves the session anew as a text; nothing removes those of visitors that stay away.
const rounds = require('./rounds');

class VisitStore {
  constructor() { this.saved = {}; }
  load(id) { return this.saved[id] && JSON.parse(this.saved[id]); }
  save(id, session) { this.saved[id] = JSON.stringify(session); }
}
const store = new VisitStore();
const visit = (id, time) => {
  const session = store.load(id) ?? { begun: time, basket: [`article ${id}`, `voucher ${id}`], visits: 0 };
  store.save(id, { ...session, visits: session.visits + 1, seen: time });
};

let visitors = 0;
rounds(async round => {
  const before = visitors;
  for (; visitors < before + 2500; visitors++) visit(`visitor-${(visitors * 7919).toString(36)}-${visitors}`, round);
  for (const id of Object.keys(store.saved)) visit(id, round + 0.5);
});
