import { assign, setup } from 'xstate';

export const session = setup({
  types: {
    context: {} as { extended: number },
    events: {} as { type: 'ACTIVITY' } | { type: 'EXTEND' } | { type: 'LOG_OUT' } | { type: 'LOG_IN' },
  },
}).createMachine({
  id: 'session',
  context: { extended: 0 },
  initial: 'active',
  states: {
    active: {
      after: { 600000: 'warning' },
      on: { ACTIVITY: { target: 'active', reenter: true } },
    },
    warning: {
      after: { 60000: 'expired' },
      on: {
        EXTEND: {
          guard: ({ context }) => context.extended < 2,
          target: 'active',
          actions: assign({ extended: ({ context }) => context.extended + 1 }),
        },
        ACTIVITY: 'active',
      },
    },
    expired: { on: { LOG_IN: { target: 'active', actions: assign({ extended: 0 }) } } },
    ended: { type: 'final' },
  },
  on: { LOG_OUT: { target: '.ended' } },
});
