import { setup, assign, raise, cancel, fromPromise } from 'xstate';
export const autocomplete = setup({
  types: { context: {} as { query: string; results: string[]; index: number; open: boolean }, events: {} as { type: 'TYPE'; value: string } | { type: 'KEY_DOWN' } | { type: 'KEY_UP' } | { type: 'ENTER' } | { type: 'ESCAPE' } | { type: 'FETCH' } | { type: 'BLUR' } },
  actors: { search: fromPromise<string[], string>(async () => []) },
  actions: {
    debounce: raise({ type: 'FETCH' }, { id: 'debounce', delay: 300 }),
    stop: cancel('debounce'),
    setQuery: assign({ query: ({ event, context }) => event.type === 'TYPE' ? event.value : context.query, open: true }),
    down: assign({ index: ({ context }) => (context.index + 1) % 3 }),
    up: assign({ index: ({ context }) => (context.index + 2) % 3 }),
    close: assign({ open: false, index: 0 }),
  },
}).createMachine({
  id: 'autocomplete',
  context: { query: '', results: [], index: 0, open: false },
  initial: 'idle',
  states: {
    idle: {},
    waiting: { on: { FETCH: { target: 'searching', guard: ({ context }) => context.query.length > 2 } } },
    searching: {
      invoke: { src: 'search', input: ({ context }) => context.query, onDone: { target: 'results', actions: assign({ results: ({ event }) => event.output }) }, onError: 'failed' },
    },
    results: { on: { KEY_DOWN: { actions: 'down' }, KEY_UP: { actions: 'up' }, ENTER: { target: 'idle', actions: 'close' } } },
    failed: { tags: ['error'] },
  },
  on: { TYPE: { target: '.waiting', actions: ['stop', 'setQuery', 'debounce'] }, ESCAPE: { target: '.idle', actions: ['close', 'stop'] }, BLUR: { target: '.idle', actions: 'stop' } },
});
