// Actions of a store run one after the other on the scheduler of queues (ReactiveX/rxjs#6624).
const { Subject, queueScheduler, of } = require('rxjs');
const { observeOn, mergeMap, filter, map } = require('rxjs/operators');
const rounds = require('./rounds');

const actions = new Subject();
let shipped = 0;
const epic = actions.pipe(
  observeOn(queueScheduler),
  filter(action => action.type === 'order/placed'),
  mergeMap(action => of(action).pipe(observeOn(queueScheduler), map(({ order }) => ({ type: 'order/shipped', order })))),
);
epic.subscribe(() => { shipped++; });

let placed = 0;
rounds(() => {
  for (let i = 0; i < 800; i++) actions.next({ type: 'order/placed', order: { id: ++placed, lines: [placed % 7, placed % 5] } });
});
