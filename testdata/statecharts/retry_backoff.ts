import { assign, fromPromise, setup } from 'xstate';

const MAX_RETRIES = 5;

async function request(url: string): Promise<string> {
  const response = await fetch(url);
  return response.text();
}

export const fetchMachine = setup({
  types: {} as {
    context: { url: string; data?: string; error?: unknown; retries: number };
    input: { url: string };
    output: { data?: string };
    events: { type: 'FETCH' } | { type: 'CANCEL' } | { type: 'REFRESH' };
    tags: 'busy';
  },
  actors: {
    fetcher: fromPromise(({ input }: { input: { url: string } }) => request(input.url)),
  },
  guards: {
    canRetry: ({ context }) => context.retries < MAX_RETRIES,
  },
  delays: {
    backoff: ({ context }) => 2 ** context.retries * 100,
    timeout: 10_000,
  },
}).createMachine({
  id: 'fetch',
  context: ({ input }) => ({ url: input.url, retries: 0 }),
  initial: 'idle',
  states: {
    idle: { on: { FETCH: 'loading' } },
    loading: {
      tags: ['busy'],
      invoke: {
        src: 'fetcher',
        input: ({ context }) => ({ url: context.url }),
        onDone: {
          target: 'success',
          actions: assign({ data: ({ event }) => event.output, retries: 0 }),
        },
        onError: {
          target: 'failing',
          actions: assign({ error: ({ event }) => event.error }),
        },
      },
      after: { timeout: { target: 'failing', actions: assign({ error: 'timeout' }) } },
      on: { CANCEL: 'idle' },
    },
    failing: {
      always: [
        { guard: 'canRetry', target: 'waiting', actions: assign({ retries: ({ context }) => context.retries + 1 }) },
        { target: 'failure' },
      ],
    },
    waiting: {
      tags: ['busy'],
      after: { backoff: 'loading' },
      on: { CANCEL: { target: 'idle', actions: assign({ retries: 0 }) } },
    },
    success: {
      on: { REFRESH: 'loading' },
      after: { 60000: 'done' },
    },
    failure: { on: { FETCH: { target: 'loading', actions: assign({ retries: 0, error: undefined }) } } },
    done: { type: 'final' },
  },
  output: ({ context }) => ({ data: context.data }),
});
