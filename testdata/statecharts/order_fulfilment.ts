import { setup } from 'xstate';

export const orderMachine = setup({
  types: {
    events: {} as { type: 'PACK' } | { type: 'LABEL' } | { type: 'INVOICE' } | { type: 'PAID' } | { type: 'CANCEL' },
    output: {} as { shipped: boolean },
  },
}).createMachine({
  id: 'order',
  initial: 'preparing',
  states: {
    preparing: {
      type: 'parallel',
      states: {
        parcel: {
          initial: 'empty',
          states: {
            empty: { on: { PACK: 'packed' } },
            packed: { on: { LABEL: 'labelled' } },
            labelled: { type: 'final' },
          },
        },
        payment: {
          initial: 'open',
          states: {
            open: { on: { INVOICE: 'invoiced' } },
            invoiced: { on: { PAID: 'settled' } },
            settled: { type: 'final' },
          },
        },
      },
      onDone: 'shipped',
      on: { CANCEL: 'cancelled' },
    },
    shipped: { type: 'final' },
    cancelled: { type: 'final' },
  },
  output: ({ event }) => ({ shipped: true }),
});
