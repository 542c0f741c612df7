import { assign, enqueueActions, fromCallback, fromPromise, log, raise, sendTo, setup, spawnChild, stopChild } from 'xstate';

const worker = fromCallback<{ type: 'abort' }, { file: string }>(({ sendBack, receive, input }) => {
  receive((event) => { if (event.type === 'abort') sendBack({ type: 'upload.failed', file: input.file }); });
});

export const uploads = setup({
  types: {
    context: {} as { queued: number; active: number; failed: number; finished: number },
    events: {} as
      | { type: 'upload.add' } | { type: 'upload.progress'; percent: number }
      | { type: 'upload.done' } | { type: 'upload.failed' } | { type: 'pause' } | { type: 'resume' } | { type: 'clear' },
  },
  actors: { worker, checkQuota: fromPromise(async () => ({ ok: true })) },
  guards: {
    hasQueued: ({ context }) => context.queued > 0,
    hasSlot: ({ context }) => context.active < 2,
    allDone: ({ context }) => context.queued + context.active === 0,
  },
  actions: {
    enqueueFile: assign({ queued: ({ context }) => Math.min(context.queued + 1, 4) }),
    startUpload: enqueueActions(({ context, enqueue, check }) => {
      if (!check('hasSlot')) return;
      enqueue.assign({ queued: context.queued - 1, active: context.active + 1 });
      enqueue.spawnChild('worker', { id: `worker${context.active}` });
      enqueue(log('started'));
    }),
    finishUpload: enqueueActions(({ enqueue, event }) => {
      enqueue.assign({
        active: ({ context }) => Math.max(context.active - 1, 0),
        finished: ({ context }) => Math.min(context.finished + 1, 9),
      });
      if (event.type === 'upload.done') enqueue.stopChild('worker0');
      enqueue.raise({ type: 'upload.next' } as any);
    }),
    failUpload: assign(({ context }) => ({
      active: context.active > 0 ? context.active - 1 : 0,
      failed: context.failed < 3 ? context.failed + 1 : 3,
    })),
    reset: assign({ queued: 0, active: 0, failed: 0, finished: 0 }),
  },
}).createMachine({
  id: 'uploads',
  context: { queued: 0, active: 0, failed: 0, finished: 0 },
  initial: 'idle',
  on: { 'upload.add': { actions: 'enqueueFile' } },
  states: {
    idle: { always: { guard: 'hasQueued', target: 'checking' } },
    checking: {
      invoke: { id: 'quota', src: 'checkQuota', onDone: [{ guard: ({ event }) => event.output.ok, target: 'running' }, 'full'], onError: 'full' },
    },
    full: { on: { clear: { target: 'idle', actions: 'reset' } } },
    running: {
      entry: 'startUpload',
      always: { guard: 'allDone', target: 'idle' },
      on: {
        'upload.next': { guard: 'hasQueued', actions: 'startUpload' },
        'upload.done': { actions: 'finishUpload' },
        'upload.failed': [
          { guard: ({ context }) => context.failed >= 2, target: 'aborted' },
          { actions: ['failUpload', raise({ type: 'upload.next' } as any)] },
        ],
        'upload.*': { actions: log(({ event }) => event.type) },
        pause: 'paused',
      },
    },
    paused: { on: { resume: 'running', clear: { target: 'idle', actions: 'reset' } } },
    aborted: { entry: [stopChild('worker0'), sendTo('quota', { type: 'abort' })], type: 'final' },
  },
});
