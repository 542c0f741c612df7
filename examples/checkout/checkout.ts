// The checkout of a shop, as an XState machine.

import { assign, fromPromise, setup } from 'xstate';

const MAX_ITEMS = 3;
const MAX_ATTEMPTS = 3;

export const checkout = setup({
  types: {
    context: {} as { items: number; attempts: number; express: boolean },
    events: {} as
      | { type: 'ADD' }
      | { type: 'REMOVE' }
      | { type: 'CHECKOUT' }
      | { type: 'EXPRESS' }
      | { type: 'ADDRESS' }
      | { type: 'PAY' }
      | { type: 'BACK' },
  },
  actors: {
    charge: fromPromise(async () => ({ receipt: 'R-1' })),
  },
  guards: {
    hasItems: ({ context }) => context.items > 0,
    hasRoom: ({ context }) => context.items < MAX_ITEMS,
    canRetry: ({ context }) => context.attempts < MAX_ATTEMPTS,
  },
  delays: { SESSION: 900_000 },
}).createMachine({
  id: 'checkout',
  context: { items: 0, attempts: 0, express: false },
  initial: 'cart',
  states: {
    cart: {
      on: {
        ADD: { guard: 'hasRoom', actions: assign({ items: ({ context }) => context.items + 1 }) },
        REMOVE: { guard: 'hasItems', actions: assign({ items: ({ context }) => context.items - 1 }) },
        CHECKOUT: { guard: 'hasItems', target: 'shipping' },
      },
    },
    shipping: {
      on: {
        EXPRESS: { actions: assign({ express: ({ context }) => !context.express }) },
        // A new address is a new order: the card may be tried again.
        ADDRESS: { target: 'payment', actions: assign({ attempts: 0 }) },
        BACK: 'cart',
      },
    },
    payment: {
      initial: 'entering',
      states: {
        entering: {
          on: { PAY: 'charging', BACK: '#checkout.shipping' },
        },
        charging: {
          entry: assign({ attempts: ({ context }) => Math.min(context.attempts + 1, MAX_ATTEMPTS) }),
          invoke: {
            id: 'charge',
            src: 'charge',
            onDone: '#checkout.confirmed',
            onError: [{ guard: 'canRetry', target: 'entering' }, { target: '#checkout.declined' }],
          },
        },
      },
      after: { SESSION: { target: 'cart', actions: assign({ express: false }) } },
    },
    declined: { on: { BACK: 'cart' } },
    confirmed: { type: 'final', entry: assign({ items: 0 }) },
  },
});
