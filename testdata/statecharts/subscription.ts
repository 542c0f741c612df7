import { assign, setup } from 'xstate';

export const subscription = setup({
  types: {
    input: {} as { trial: boolean },
    context: {} as { trial: boolean; missed: number },
    events: {} as { type: 'PAY' } | { type: 'MISS' } | { type: 'CANCEL' } | { type: 'RESUME' },
    tags: {} as 'entitled' | 'billable',
  },
}).createMachine({
  id: 'subscription',
  context: { trial: true, missed: 0 },
  initial: 'trialing',
  states: {
    trialing: {
      tags: ['entitled'],
      always: { guard: ({ context }) => !context.trial, target: 'active' },
      on: { PAY: { actions: assign({ trial: false }) }, CANCEL: 'cancelled' },
      after: { 1209600000: 'pastDue' },
    },
    active: {
      tags: ['entitled', 'billable'],
      on: { MISS: { target: 'pastDue', actions: assign({ missed: 1 }) }, CANCEL: 'cancelling' },
    },
    cancelling: { tags: ['entitled'], on: { RESUME: 'active' }, after: { 1209600000: 'cancelled' } },
    pastDue: {
      tags: ['billable'],
      on: {
        PAY: { target: 'active', actions: assign({ missed: 0, trial: false }) },
        MISS: [
          { guard: ({ context }) => context.missed < 3, actions: assign({ missed: ({ context }) => context.missed + 1 }) },
          { target: 'cancelled' },
        ],
      },
    },
    cancelled: { type: 'final' },
  },
});
