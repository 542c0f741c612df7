import { setup, assign, fromPromise, assertEvent } from 'xstate';

type Ctx = { secret: string | null; attempts: number; recoveryCodes: string[]; method: 'app' | 'sms' | null };
type Ev = { type: 'choose.app' } | { type: 'choose.sms' } | { type: 'code.submit'; code: string } | { type: 'back' } | { type: 'resend' } | { type: 'codes.saved' };

export const enrollMachine = setup({
  types: { context: {} as Ctx, events: {} as Ev },
  actors: {
    createSecret: fromPromise(async () => 'secret'),
    verify: fromPromise(async ({ input }: { input: { code: string } }) => input.code === '123456'),
  },
  guards: {
    verified: ({ event }) => (event as unknown as { output: boolean }).output,
    tooMany: ({ context }) => context.attempts + 1 >= 3,
  },
  actions: {
    storeSecret: assign({ secret: ({ event }) => (event as any).output }),
    failed: assign({ attempts: ({ context: { attempts } }) => attempts + 1 }),
    generateCodes: assign({ recoveryCodes: () => Array.from({ length: 8 }, (_, i) => `code-${i}`) }),
    checkEvent: ({ event }) => { assertEvent(event, 'code.submit'); },
  },
}).createMachine({
  id: 'enroll',
  initial: 'method',
  context: { secret: null, attempts: 0, recoveryCodes: [], method: null },
  states: {
    method: {
      on: {
        'choose.*': { target: 'secret' },
        'choose.app': { target: 'secret', actions: assign({ method: 'app' }) },
        'choose.sms': { target: 'secret', actions: assign({ method: 'sms' as const }) },
      },
    },
    secret: {
      invoke: { src: 'createSecret', onDone: { target: 'code', actions: 'storeSecret' }, onError: 'method' },
    },
    code: {
      on: {
        'code.submit': { target: 'verifying', actions: 'checkEvent' },
        back: { target: 'method', actions: assign({ attempts: 0 }) },
        resend: { guard: ({ context }) => context.method === 'sms', target: 'secret' },
      },
      after: { 60000: { target: 'code', reenter: true, actions: assign({ secret: null }) } },
    },
    verifying: {
      invoke: {
        id: 'verification',
        src: 'verify',
        input: ({ event }) => { assertEvent(event, 'code.submit'); return { code: event.code }; },
        onDone: [{ guard: 'verified', target: 'codes' }, { guard: 'tooMany', target: 'blocked', actions: 'failed' }, { target: 'code', actions: 'failed' }],
        onError: { target: 'code' },
      },
    },
    codes: { entry: 'generateCodes', on: { 'codes.saved': 'done' } },
    blocked: { type: 'final', tags: 'error' },
    done: { type: 'final', tags: ['ok'] },
  },
});
