import { assign, setup } from 'xstate';

const LIMIT = 4;

export const uploadQueue = setup({
  types: {
    context: {} as { queued: number; done: number; failed: number },
    events: {} as { type: 'ADD' } | { type: 'UPLOADED' } | { type: 'FAILED' } | { type: 'PAUSE' } | { type: 'RESUME' } | { type: 'CLEAR' },
  },
  guards: {
    hasRoom: ({ context }) => context.queued + context.done + context.failed < LIMIT,
    isLast: ({ context }) => context.queued === 1,
  },
}).createMachine({
  id: 'uploads',
  context: { queued: 0, done: 0, failed: 0 },
  initial: 'empty',
  on: {
    ADD: {
      guard: 'hasRoom',
      actions: assign({ queued: ({ context }) => context.queued + 1 }),
    },
    CLEAR: { target: '.empty', actions: assign({ queued: 0, done: 0, failed: 0 }) },
  },
  states: {
    empty: {
      always: { guard: ({ context }) => context.queued > 0, target: 'uploading' },
    },
    uploading: {
      on: {
        UPLOADED: [
          {
            guard: 'isLast',
            target: 'empty',
            actions: assign({ queued: 0, done: ({ context }) => context.done + 1 }),
          },
          {
            actions: [
              assign({ queued: ({ context }) => context.queued - 1 }),
              assign({ done: ({ context }) => context.done + 1 }),
            ],
          },
        ],
        FAILED: {
          target: 'retrying',
          actions: assign(({ context }) => ({ queued: context.queued - 1, failed: context.failed + 1 })),
        },
        PAUSE: 'paused',
      },
    },
    retrying: {
      after: {
        2000: {
          target: 'empty',
          actions: assign({
            queued: ({ context }) => context.queued + context.failed,
            failed: 0,
          }),
        },
      },
    },
    paused: { on: { RESUME: 'uploading' } },
  },
});
