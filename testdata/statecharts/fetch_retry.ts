import { assign, fromPromise, setup } from 'xstate';

export const fetchMachine = setup({
  types: {
    context: {} as { retries: number },
    events: {} as { type: 'FETCH' } | { type: 'CANCEL' },
  },
  actors: { fetchData: fromPromise(async () => ({ ok: true })) },
  delays: { backOff: ({ context }) => 1000 * 2 ** context.retries },
}).createMachine({
  id: 'fetch',
  initial: 'idle',
  context: { retries: 0 },
  states: {
    idle: { on: { FETCH: 'loading' } },
    loading: {
      invoke: { src: 'fetchData', onDone: 'success', onError: 'failure' },
      on: { CANCEL: 'idle' },
    },
    failure: {
      always: { guard: ({ context }) => context.retries >= 3, target: 'gaveUp' },
      after: {
        backOff: { target: 'loading', actions: assign({ retries: ({ context }) => context.retries + 1 }) },
      },
      on: { CANCEL: 'idle' },
    },
    gaveUp: { on: { FETCH: { target: 'loading', actions: assign({ retries: 0 }) } } },
    success: { type: 'final' },
  },
});
