// A plan is changed by immer, and the last fifty states are kept for undo; states share what did not change. The plan has more or fewer tasks each round.
const rounds = require('./rounds');
const { produce, produceWithPatches, enablePatches } = require('immer');

enablePatches();
class PlanHistory {
  constructor(state, most) { this.state = state; this.most = most; this.past = []; this.patches = []; }
  change(recipe) {
    const [state, patches] = produceWithPatches(this.state, recipe);
    this.past.push(this.state);
    this.patches.push(patches);
    if (this.past.length > this.most) { this.past.shift(); this.patches.shift(); }
    this.state = state;
  }
  undo() { if (this.past.length) { this.state = this.past.pop(); this.patches.pop(); } }
}
const plan = new PlanHistory({ title: 'plan', tasks: {} }, 50);
rounds(round => {
  const wanted = [300, 700, 450, 600][round];
  plan.change(draft => { for (const key of Object.keys(draft.tasks)) if (Number(key) >= wanted) delete draft.tasks[key]; });
  for (let n = 0; n < wanted; n += 5) {
    plan.change(draft => { for (let i = n; i < n + 5; i++) draft.tasks[i] = { title: `task ${round}-${i}`, steps: [`first of ${i}`, `second of ${i}`], done: false }; });
    if (n % 60 === 0) plan.undo();
  }
});
