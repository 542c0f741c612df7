import { assign, createMachine } from 'xstate';

export const modal = createMachine({
  id: 'modal',
  initial: 'closed',
  context: { stack: 0, dirty: false, counts: { confirm: 0, cancel: 0 } },
  states: {
    closed: {
      on: { OPEN: { target: 'open', actions: assign(({ context }) => ({ ...context, stack: context.stack + 1 })) } },
    },
    open: {
      on: {
        OPEN: {
          guard: ({ context }) => { return context.stack < 3; },
          actions: assign(({ context }) => { return { stack: context.stack + 1 }; }),
        },
        EDIT: { actions: assign({ dirty: true }) },
        CLOSE: [
          { guard: ({ context }) => context.dirty && context.stack === 1, target: 'confirming' },
          { guard: ({ context }) => context.stack > 1, actions: assign({ stack: ({ context }) => { const next = context.stack - 1; return next; } }) },
          { target: 'closed', actions: assign({ stack: 0 }) },
        ],
      },
    },
    confirming: {
      on: {
        CONFIRM: { target: 'closed', actions: assign({ stack: 0, dirty: false, counts: ({ context }) => ({ ...context.counts, confirm: (context.counts.confirm + 1) % 4 }) }) },
        CANCEL: { target: 'open', actions: assign({ counts: ({ context: { counts } }) => ({ confirm: counts.confirm, cancel: counts.cancel < 2 ? counts.cancel + 1 : 0 }) }) },
      },
    },
  },
});
