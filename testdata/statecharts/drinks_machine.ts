import { assign, enqueueActions, setup, emit } from 'xstate';

const PRICES = { cola: 3, water: 2 } as const;
const CAPACITY = 2;

export const vending = setup({
  types: {
    context: {} as { credit: number; cola: number; water: number },
    events: {} as { type: 'COIN' } | { type: 'SELECT_COLA' } | { type: 'SELECT_WATER' } | { type: 'REFUND' } | { type: 'REFILL' },
  },
  guards: {
    canBuy: ({ context }, params: { price: number }) => context.credit >= params.price,
    inStock: ({ context }, { drink }: { drink: 'cola' | 'water' }) => context[drink] > 0,
    hasCola: ({ context }) => context.cola > 0,
  },
  actions: {
    pay: assign({ credit: ({ context }, params: { price: number }) => context.credit - params.price }),
    take: enqueueActions(({ context, enqueue, check }) => {
      if (context.credit > 4) {
        enqueue.assign({ credit: 0 });
      } else if (check('hasCola')) {
        enqueue({ type: 'pay', params: { price: PRICES.cola } });
      }
      enqueue.emit({ type: 'vended' });
      enqueue.assign({ cola: ({ context }) => Math.max(0, context.cola - 1) });
    }),
  },
}).createMachine({
  id: 'vending',
  context: { credit: 0, cola: CAPACITY, water: CAPACITY },
  initial: 'idle',
  states: {
    idle: {
      on: {
        COIN: { guard: ({ context }) => context.credit < 5, actions: assign({ credit: ({ context }) => context.credit + 1 }) },
        SELECT_COLA: { guard: { type: 'canBuy', params: { price: PRICES.cola } }, target: 'vending', actions: 'take' },
        SELECT_WATER: [
          { guard: { type: 'canBuy', params: { price: PRICES['water'] } }, target: 'vending', actions: [{ type: 'pay', params: { price: PRICES.water } }, assign({ water: ({ context }) => Math.max(context.water - 1, 0) })] },
        ],
        REFUND: { actions: [emit({ type: 'refund' }), assign({ credit: 0 })] },
        REFILL: { actions: assign({ cola: CAPACITY, water: CAPACITY }) },
      },
    },
    vending: { after: { 2000: 'idle' } },
  },
});
