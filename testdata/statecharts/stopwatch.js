import { assign, createMachine } from 'xstate';

export const stopwatch = createMachine({
  id: 'stopwatch',
  initial: 'stopped',
  context: { seconds: 0, lap: 0 },
  states: {
    stopped: {
      on: {
        START: 'running',
        RESET: { actions: assign({ seconds: 0, lap: 0 }) },
      },
    },
    running: {
      after: {
        1000: {
          target: 'running',
          reenter: true,
          guard: ({ context }) => context.seconds < 9,
          actions: assign({ seconds: ({ context }) => context.seconds + 1 }),
        },
      },
      on: {
        STOP: 'stopped',
        LAP: { actions: assign({ lap: ({ context }) => context.seconds }) },
      },
    },
  },
});
