// Orders go through the states of a machine of xstate, an actor for each; actors stop when an order is sent or given up. How many orders are under way differs.
const rounds = require('./rounds');
const { setup, createActor, assign, fromPromise } = require('xstate');

const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const orderMachine = setup({
  actors: {
    reserve: fromPromise(async ({ input }) => { await pause(1); return input.lines.map(line => ({ ...line, shelf: line.article.length % 9 })); }),
    pay: fromPromise(async ({ input }) => { await pause(1); if (input.total % 11 === 0) throw new Error('card is refused'); return { receipt: `r-${input.total}` }; }),
  },
  guards: { mayTryAgain: ({ context }) => context.tries < 2 },
}).createMachine({
  id: 'order',
  initial: 'reserving',
  context: ({ input }) => ({ id: input.id, lines: input.lines, total: input.total, tries: 0, receipt: null }),
  states: {
    reserving: {
      invoke: { src: 'reserve', input: ({ context }) => context, onDone: { target: 'paying', actions: assign({ lines: ({ event }) => event.output }) } },
    },
    paying: {
      invoke: {
        src: 'pay', input: ({ context }) => context,
        onDone: { target: 'packing', actions: assign({ receipt: ({ event }) => event.output.receipt }) },
        onError: [{ guard: 'mayTryAgain', target: 'waiting', actions: assign({ tries: ({ context }) => context.tries + 1 }) }, { target: 'givenUp' }],
      },
    },
    waiting: { after: { 3: 'paying' } },
    packing: { on: { SENT: 'sent' } },
    sent: { type: 'final' },
    givenUp: { type: 'final' },
  },
});

class OrderDesk {
  constructor() {
    this.underWay = new Map();
    this.totals = { sent: 0, givenUp: 0 };
  }
  take(id, lines) {
    const actor = createActor(orderMachine, { input: { id, lines, total: lines.reduce((sum, line) => sum + line.price, 0) } });
    this.underWay.set(id, actor);
    actor.subscribe({ complete: () => { this.totals[actor.getSnapshot().value]++; this.underWay.delete(id); } });
    actor.start();
  }
  truckComes(room) {
    for (const actor of this.underWay.values()) {
      if (room === 0) return;
      if (actor.getSnapshot().matches('packing')) { actor.send({ type: 'SENT' }); room--; }
    }
  }
}

const desk = new OrderDesk();
const rest = [40, 110, 60, 150];
rounds(async round => {
  for (let n = 0; n < 600; n++) {
    desk.take(`${round}-${n}`, Array.from({ length: 3 }, (_, i) => ({ article: `article ${n % 50}-${i}`, price: n % 40 + i })));
    if (n % 40 === 39) { await pause(5); desk.truckComes(35); }
  }
  await pause(60);
  desk.truckComes(desk.underWay.size - rest[round]);
  await pause(5);
});
