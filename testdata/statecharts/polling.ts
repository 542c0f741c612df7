import { assign, fromPromise, setup } from 'xstate';

export const polling = setup({
  types: {
    context: {} as { failures: number; slow: boolean },
    events: {} as { type: 'START' } | { type: 'STOP' } | { type: 'SLOW' } | { type: 'FAST' },
  },
  actors: { poll: fromPromise(async () => 1) },
  delays: { interval: ({ context }) => (context.slow ? 60000 : 5000) },
}).createMachine({
  id: 'polling',
  context: { failures: 0, slow: false },
  initial: 'stopped',
  on: { SLOW: { actions: assign({ slow: true }) }, FAST: { actions: assign({ slow: false }) } },
  states: {
    stopped: { on: { START: 'active' } },
    active: {
      initial: 'requesting',
      on: { STOP: 'stopped' },
      states: {
        requesting: {
          invoke: {
            src: 'poll',
            onDone: { target: 'pausing', actions: assign({ failures: 0 }) },
            onError: { target: 'counting', actions: assign({ failures: ({ context }) => context.failures + 1 }) },
          },
        },
        counting: {
          always: [{ guard: ({ context }) => context.failures > 2, target: '#polling.failed' }, { target: 'pausing' }],
        },
        pausing: { after: { interval: 'requesting' } },
      },
    },
    failed: { on: { START: { target: 'active', actions: assign({ failures: 0 }) } } },
  },
});
