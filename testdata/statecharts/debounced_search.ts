import { setup, assign, fromPromise, raise, cancel } from 'xstate';

export const search = setup({
  types: { context: {} as { query: string; results: string[]; page: number }, events: {} as { type: 'TYPE'; query: string } | { type: 'CLEAR' } | { type: 'DEBOUNCED' } | { type: 'NEXT' } | { type: 'PREV' } },
  actors: { search: fromPromise(async ({ input }: { input: { q: string; signal?: AbortSignal } }) => [input.q]) },
  actions: {
    setQuery: assign({ query: (_, params: { query: string }) => params.query }),
  },
}).createMachine({
  context: ({ input }: { input?: { page?: number } }) => ({ query: '', results: [], page: input?.page ?? 1 }),
  initial: 'idle',
  on: {
    TYPE: {
      actions: [
        { type: 'setQuery', params: ({ event }) => ({ query: event.query }) },
        cancel('debounce'),
        raise({ type: 'DEBOUNCED' }, { id: 'debounce', delay: 300 }),
      ],
    },
    CLEAR: { target: '.idle', actions: [cancel('debounce'), assign({ query: '', results: [] })] },
    DEBOUNCED: { target: '.searching' },
  },
  states: {
    idle: {},
    searching: {
      invoke: {
        src: 'search',
        input: ({ context }) => ({ q: context.query }),
        onDone: [
          { guard: ({ event }) => event.output.length === 0, target: 'empty' },
          { target: 'showing', actions: assign({ results: ({ event }) => event.output, page: 1 }) },
        ],
        onError: 'failed',
      },
    },
    showing: {
      on: {
        NEXT: { guard: ({ context }) => context.page < 3, actions: assign({ page: ({ context: c }) => c.page + 1 }) },
        PREV: { guard: (args) => args.context.page > 1, actions: assign({ page: (args) => args.context.page - 1 }) },
      },
    },
    empty: {},
    failed: {},
  },
});
