import { assign, setup } from 'xstate';

export const vendingMachine = setup({
  types: {
    context: {} as { credit: number; stock: number },
    events: {} as { type: 'COIN' } | { type: 'NOTE' } | { type: 'SELECT' } | { type: 'REFUND' } | { type: 'TAKE' } | { type: 'REFILL' },
  },
  guards: {
    enough: ({ context }) => context.credit >= 3,
    inStock: ({ context }) => context.stock > 0,
    acceptsNote: ({ context }) => context.credit + 5 <= 8,
  },
  actions: {
    addCoin: assign({ credit: ({ context }) => Math.min(context.credit + 1, 8) }),
    sell: assign({
      credit: ({ context }) => context.credit - 3,
      stock: ({ context }) => context.stock - 1,
    }),
    refund: assign({ credit: 0 }),
  },
}).createMachine({
  id: 'vending',
  context: { credit: 0, stock: 2 },
  initial: 'idle',
  states: {
    idle: {
      always: { guard: ({ context }) => context.stock === 0, target: 'soldOut' },
      on: {
        COIN: { target: 'ready', actions: 'addCoin' },
        NOTE: { target: 'ready', actions: assign({ credit: ({ context }) => context.credit + 5 }), guard: 'acceptsNote' },
      },
    },
    ready: {
      on: {
        COIN: { actions: 'addCoin' },
        NOTE: { guard: 'acceptsNote', actions: assign({ credit: ({ context }) => context.credit + 5 }) },
        SELECT: { guard: 'enough', target: 'vending', actions: 'sell' },
        REFUND: { target: 'idle', actions: 'refund' },
      },
    },
    vending: {
      on: {
        TAKE: [
          { guard: ({ context }) => context.credit > 0 && context.stock > 0, target: 'ready' },
          { target: 'idle', actions: 'refund' },
        ],
      },
    },
    soldOut: {
      on: { REFILL: { target: 'idle', actions: assign({ stock: () => 2 }) } },
    },
  },
});
