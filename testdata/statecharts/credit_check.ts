import { setup, fromPromise, assign, and, or } from 'xstate';

export const creditMachine = setup({
  types: {
    context: {} as { ssn: string; first: number; bureaus: { a: number; b: number }; rate: number; errors: number },
    events: {} as { type: 'SUBMIT'; ssn: string } | { type: 'RETRY' },
  },
  actors: {
    check: fromPromise(async ({ input }: { input: { bureau: string } }) => input.bureau.length),
    verify: fromPromise(async () => true),
  },
  guards: {
    allSucceeded: ({ context }) => context.bureaus.a > 0 && context.bureaus.b > 0,
    someFailed: or([({ context }) => context.bureaus.a === 0, ({ context }) => context.bureaus.b === 0]),
    isPrime: and(['allSucceeded', ({ context }) => context.bureaus.a + context.bureaus.b >= 3]),
  },
}).createMachine({
  id: 'credit',
  context: { ssn: '', first: 0, bureaus: { a: 0, b: 0 }, rate: 0, errors: 0 },
  initial: 'form',
  states: {
    form: { on: { SUBMIT: { target: 'verifying', guard: ({ event }) => event.ssn.length === 9, reenter: true } } },
    verifying: { invoke: { src: 'verify', onDone: 'checking', onError: { target: 'form', actions: assign({ errors: ({ context }) => context.errors + 1 }) } } },
    checking: {
      type: 'parallel',
      states: {
        a: {
          initial: 'fetching',
          states: {
            fetching: { invoke: { src: 'check', input: { bureau: 'a' }, onDone: { target: 'ok', actions: assign({ bureaus: ({ context }) => ({ ...context.bureaus, a: 2 }) }) }, onError: 'failed' } },
            ok: { type: 'final' },
            failed: { type: 'final' },
          },
        },
        b: {
          initial: 'fetching',
          states: {
            fetching: { invoke: { src: 'check', input: { bureau: 'b' }, onDone: { target: 'ok', actions: assign({ bureaus: ({ context }) => ({ ...context.bureaus, b: 1 }) }) }, onError: 'failed' } },
            ok: { type: 'final' },
            failed: { type: 'final' },
          },
        },
      },
      onDone: 'deciding',
    },
    deciding: {
      always: [
        { guard: 'isPrime', target: 'approved', actions: assign({ rate: 1 }) },
        { guard: 'someFailed', target: 'manual' },
        { target: 'rejected' },
      ],
    },
    approved: { type: 'final', output: ({ context }) => context.rate },
    manual: { on: { RETRY: 'checking' } },
    rejected: { type: 'final' },
  },
});
