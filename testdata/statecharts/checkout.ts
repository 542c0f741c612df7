import { assign, fromPromise, setup } from 'xstate';

type Context = { items: number; attempts: number; express: boolean };

export const checkout = setup({
  types: {
    context: {} as Context,
    events: {} as
      | { type: 'ADD' }
      | { type: 'REMOVE' }
      | { type: 'CHECKOUT' }
      | { type: 'BACK' }
      | { type: 'EXPRESS' }
      | { type: 'ADDRESS' }
      | { type: 'PAY' },
  },
  actors: { charge: fromPromise(async () => ({ receipt: 'R-1' })) },
  guards: {
    hasItems: ({ context }) => context.items > 0,
    canRetry: ({ context }) => context.attempts < 3,
  },
}).createMachine({
  id: 'checkout',
  context: { items: 0, attempts: 0, express: false },
  initial: 'cart',
  states: {
    cart: {
      on: {
        ADD: { guard: ({ context }) => context.items < 5, actions: assign({ items: ({ context }) => context.items + 1 }) },
        REMOVE: { guard: 'hasItems', actions: assign({ items: ({ context }) => context.items - 1 }) },
        CHECKOUT: { guard: 'hasItems', target: 'shipping' },
      },
    },
    shipping: {
      on: {
        EXPRESS: { actions: assign({ express: ({ context }) => !context.express }) },
        ADDRESS: { target: 'payment', actions: assign({ attempts: 0 }) },
        BACK: 'cart',
      },
    },
    payment: {
      initial: 'entering',
      states: {
        entering: { on: { PAY: 'charging', BACK: '#checkout.shipping' } },
        charging: {
          entry: assign({ attempts: ({ context }) => context.attempts + 1 }),
          invoke: {
            src: 'charge',
            onDone: { target: '#checkout.confirmed' },
            onError: [{ guard: 'canRetry', target: 'entering' }, { target: '#checkout.declined' }],
          },
        },
      },
    },
    declined: { on: { BACK: 'cart' } },
    confirmed: { type: 'final', entry: assign({ items: 0 }) },
  },
});
