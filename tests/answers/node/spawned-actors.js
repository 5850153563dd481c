// A till is an actor of xstate that lives as long as the shop. Each payment is a child of it, which says that it was paid, and then waits to be asked for a receipt; nobody stops it.
const rounds = require('./rounds');
const { setup, createActor, assign, sendParent } = require('xstate');

const paymentMachine = setup({
  actions: { report: sendParent(({ context }) => ({ type: 'PAID', id: context.id, cents: context.cents })) },
}).createMachine({
  id: 'payment',
  initial: 'asking',
  context: ({ input }) => ({ id: input.id, cents: input.cents, card: { number: `4000-${input.id}`, holder: `holder of ${input.id}` }, steps: [] }),
  states: {
    asking: {
      on: {
        ANSWER: [
          { guard: ({ event }) => event.ok, target: 'paid', actions: assign({ steps: ({ context, event }) => [...context.steps, event] }) },
          { target: 'refused' },
        ],
      },
    },
    paid: { entry: 'report', on: { RECEIPT: { actions: assign({ steps: ({ context }) => [...context.steps, 'receipt'] }) } } },
    refused: { type: 'final' },
  },
});

const tillMachine = setup({ actors: { payment: paymentMachine } }).createMachine({
  id: 'till',
  context: { last: null, day: { count: 0, cents: 0 }, receipts: [] },
  on: {
    PAY: { actions: assign({ last: ({ spawn, event }) => spawn('payment', { id: `payment-${event.id}`, input: event }) }) },
    PAID: {
      actions: assign({
        day: ({ context, event }) => ({ count: context.day.count + 1, cents: context.day.cents + event.cents }),
        receipts: ({ context, event }) => [...context.receipts.slice(-19), event.id],
      }),
    },
  },
});

class Shop {
  constructor() {
    this.till = createActor(tillMachine, { id: 'till' });
    this.till.start();
  }
  sell(id, cents) {
    this.till.send({ type: 'PAY', id, cents });
    const payment = this.till.getSnapshot().context.last;
    payment.send({ type: 'ANSWER', ok: cents % 9 !== 0, terminal: `t${cents % 4}` });
  }
  sums() { return this.till.getSnapshot().context.day; }
}

const shop = new Shop();
rounds(async round => {
  for (let n = 0; n < 250; n++) {
    shop.sell(`${round}-${n}`, 100 + n);
    if (n % 50 === 0) await new Promise(resolve => setTimeout(resolve, 1));
  }
  shop.sums();
});
