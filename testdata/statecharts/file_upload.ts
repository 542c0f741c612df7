import { assign, createMachine, fromPromise } from 'xstate';
const uploadFile = async (file: unknown) => file;

const backoff = (attempt: number) => 500 * 2 ** attempt;

export const uploadMachine = createMachine(
  {
    id: 'upload',
    types: {} as {
      context: { file: File | null; retries: number; progress: number; error: string | undefined };
      events: { type: 'SELECT'; file: File } | { type: 'UPLOAD' } | { type: 'PROGRESS'; value: number } | { type: 'CANCEL' } | { type: 'RETRY' };
    },
    initial: 'idle',
    context: { file: null, retries: 0, progress: 0, error: undefined },
    states: {
      idle: {
        on: {
          SELECT: {
            target: 'ready',
            actions: assign({ file: ({ event }) => event.file, retries: 0, error: undefined }),
          },
        },
      },
      ready: {
        on: { UPLOAD: 'uploading', SELECT: { actions: assign(({ event }) => ({ file: event.file })) } },
      },
      uploading: {
        invoke: {
          src: 'upload',
          input: ({ context }) => context.file,
          onDone: 'success',
          onError: [
            { guard: 'canRetry', target: 'waiting', actions: 'incrementRetries' },
            { target: 'failure', actions: assign({ error: ({ event }) => (event.error as Error).message }) },
          ],
        },
        on: {
          PROGRESS: { actions: assign({ progress: ({ event }) => Math.min(100, Math.max(0, event.value)) }) },
          CANCEL: 'idle',
        },
      },
      waiting: {
        after: { retryDelay: 'uploading' },
        on: { CANCEL: 'idle' },
      },
      success: { type: 'final' },
      failure: { on: { RETRY: { target: 'uploading', actions: assign({ retries: 0 }) } } },
    },
  },
  {
    guards: { canRetry: ({ context }) => context.retries < 3 },
    actions: { incrementRetries: assign({ retries: ({ context }) => context.retries + 1 }) },
    delays: { retryDelay: ({ context }) => backoff(context.retries) },
    actors: { upload: fromPromise(({ input }) => uploadFile(input)) },
  },
);
