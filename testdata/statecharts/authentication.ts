import { and, assign, fromPromise, not, setup } from 'xstate';

const MAX_TRIES = 3;

export const authentication = setup({
  types: {
    context: {} as { failures: number; secondFactor: boolean },
    events: {} as { type: 'SIGN_IN' } | { type: 'CODE' } | { type: 'SIGN_OUT' } | { type: 'ENABLE_2FA' } | { type: 'CANCEL' },
  },
  actors: {
    verifyPassword: fromPromise(async () => true),
  },
  guards: {
    needsCode: ({ context }) => context.secondFactor,
    isLastTry: ({ context }) => context.failures >= MAX_TRIES - 1,
    codeIsRight: () => Math.random() < 0.5,
  },
  delays: { LOCK_TIME: 60_000 },
}).createMachine({
  id: 'authentication',
  initial: 'signedOut',
  context: { failures: 0, secondFactor: false },
  states: {
    signedOut: {
      on: { SIGN_IN: 'verifying' },
    },
    verifying: {
      invoke: {
        id: 'verifyPassword',
        src: 'verifyPassword',
        onDone: [{ guard: 'needsCode', target: 'code' }, { target: 'signedIn' }],
        onError: [
          { guard: 'isLastTry', target: 'locked' },
          { target: 'signedOut', actions: assign({ failures: ({ context }) => context.failures + 1 }) },
        ],
      },
      on: { CANCEL: 'signedOut' },
    },
    code: {
      on: {
        CODE: [
          { guard: and(['codeIsRight', not('isLastTry')]), target: 'signedIn' },
          { guard: 'isLastTry', target: 'locked' },
          { actions: assign({ failures: ({ context }) => context.failures + 1 }) },
        ],
        CANCEL: 'signedOut',
      },
      after: { 30000: 'signedOut' },
    },
    signedIn: {
      entry: assign({ failures: 0 }),
      on: {
        SIGN_OUT: 'signedOut',
        ENABLE_2FA: { actions: assign({ secondFactor: true }) },
      },
    },
    locked: {
      after: { LOCK_TIME: { target: 'signedOut', actions: assign({ failures: 0 }) } },
    },
  },
});
