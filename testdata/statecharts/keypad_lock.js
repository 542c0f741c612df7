import { assign, createMachine } from 'xstate';

export const keypadLock = createMachine({
  id: 'keypad',
  context: { digits: 0, wrong: false },
  initial: 'locked',
  states: {
    locked: {
      initial: 'entering',
      states: {
        entering: {
          always: [
            { guard: ({ context }) => context.digits === 4 && !context.wrong, target: '#keypad.unlocked' },
            { guard: ({ context }) => context.digits === 4, target: 'refused' },
          ],
          on: {
            RIGHT: { actions: assign({ digits: ({ context }) => context.digits + 1 }) },
            WRONG: { actions: assign({ digits: ({ context }) => context.digits + 1, wrong: true }) },
            CLEAR: { actions: 'beep', target: 'entering', reenter: true },
          },
          entry: assign({ digits: 0, wrong: false }),
        },
        refused: { after: { 5000: 'entering' } },
      },
    },
    unlocked: {
      on: { LOCK: 'locked' },
      after: { 20000: 'locked' },
    },
  },
});
