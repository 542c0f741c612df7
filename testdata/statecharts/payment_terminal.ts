import { assign, raise, setup, fromPromise } from 'xstate';
const isExpired = (year: number) => year < 26;
export const terminal = setup({
  types: { context: {} as { amount: number; pinTries: number; method: 'chip' | 'tap' | 'swipe' | undefined; approved?: boolean } },
  actors: { authorize: fromPromise(async ({ input }: { input: { amount: number } }) => ({ approved: true })) },
  delays: { cardTimeout: 20_000, pinTimeout: 15_000, resultTime: 3_000 },
  guards: {
    smallAmount: ({ context }) => context.amount <= 2,
    pinBlocked: ({ context }) => context.pinTries >= 2,
    approved: ({ event }: any) => event.output.approved,
  },
  actions: { wrongPin: assign({ pinTries: ({ context }) => context.pinTries + 1 }), reset: assign({ amount: 0, pinTries: 0, method: undefined, approved: undefined }) },
}).createMachine({
  id: 'terminal',
  context: { amount: 0, pinTries: 0, method: undefined },
  initial: 'idle',
  states: {
    idle: {
      entry: 'reset',
      on: { AMOUNT: { target: 'waiting', actions: assign({ amount: ({ event }: any) => event.amount }) }, AMOUNT_SMALL: { target: 'waiting', actions: assign({ amount: 1 }) }, AMOUNT_LARGE: { target: 'waiting', actions: assign({ amount: 4 }) } },
    },
    waiting: {
      on: {
        TAP: [{ guard: 'smallAmount', target: 'authorizing', actions: assign({ method: 'tap' }) }, { target: 'pin', actions: assign({ method: 'tap' }) }],
        INSERT: { target: 'pin', actions: assign({ method: 'chip' }) },
        SWIPE: { target: 'signature', actions: assign({ method: () => 'swipe' as const }) },
        CANCEL: 'cancelled',
      },
      after: { cardTimeout: 'cancelled' },
    },
    pin: {
      on: { PIN_OK: 'authorizing', PIN_WRONG: [{ guard: 'pinBlocked', target: 'declined', actions: ['wrongPin'] }, { actions: 'wrongPin', target: 'pin', reenter: true }], CANCEL: 'cancelled' },
      after: { pinTimeout: 'cancelled' },
    },
    signature: { on: { SIGNED: 'authorizing' } },
    authorizing: {
      invoke: { src: 'authorize', input: ({ context }) => ({ amount: context.amount }), onDone: [{ guard: 'approved', target: 'approved', actions: assign({ approved: true }) }, { target: 'declined', actions: assign({ approved: false }) }], onError: { target: 'declined', actions: raise({ type: 'PRINT' }) } },
    },
    approved: { after: { resultTime: 'idle' } },
    declined: { tags: ['error'], on: { PRINT: { actions: () => console.log('print') } }, after: { resultTime: 'idle' } },
    cancelled: { after: { resultTime: 'idle' } },
  },
});
