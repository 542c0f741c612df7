import { assign, fromPromise, setup } from 'xstate';

export const searchBox = setup({
  types: {
    context: {} as { length: number; found: boolean },
    events: {} as { type: 'TYPE' } | { type: 'ERASE' } | { type: 'CLEAR' } | { type: 'BLUR' },
  },
  actors: { search: fromPromise(async () => ['a', 'b']) },
  delays: { debounce: 300 },
}).createMachine({
  id: 'search',
  context: { length: 0, found: false },
  initial: 'idle',
  on: {
    TYPE: {
      guard: ({ context }) => context.length < 4,
      target: '.debouncing',
      reenter: true,
      actions: assign({ length: ({ context }) => context.length + 1 }),
    },
    ERASE: {
      guard: ({ context }) => context.length > 0,
      target: '.debouncing',
      actions: assign({ length: ({ context }) => context.length - 1 }),
    },
    CLEAR: { target: '.idle', actions: assign({ length: 0, found: false }) },
  },
  states: {
    idle: {},
    debouncing: {
      after: {
        debounce: [{ guard: ({ context }) => context.length > 1, target: 'searching' }, { target: 'idle' }],
      },
    },
    searching: {
      tags: 'busy',
      invoke: {
        src: 'search',
        onDone: { target: 'results', actions: assign({ found: true }) },
        onError: { target: 'failed', actions: assign({ found: false }) },
      },
    },
    results: { on: { BLUR: 'idle' } },
    failed: { after: { 3000: 'searching' } },
  },
});
