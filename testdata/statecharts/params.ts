import { assign, setup, raise, emit, log } from 'xstate';
export const counter = setup({
  types: { context: {} as { n: number; max: number; last: string }, events: {} as { type: 'INC'; by?: number } | { type: 'DEC' } | { type: 'SET_MAX'; max: number } | { type: 'RESET' } },
  guards: {
    below: (_, params: { value: number; limit: number }) => params.value < params.limit,
    isPositive: ({ context }) => context.n > 0,
  },
  actions: {
    add: assign({ n: ({ context }, params: { by: number }) => context.n + params.by }),
    remember: assign(({ context }, params: { what: string }) => ({ last: params.what })),
    report: emit(({ context }) => ({ type: 'changed', n: context.n })),
  },
}).createMachine({
  id: 'counter',
  context: { n: 0, max: 3, last: 'none' },
  initial: 'active',
  states: {
    active: {
      on: {
        INC: {
          guard: { type: 'below', params: ({ context }) => ({ value: context.n, limit: context.max }) },
          actions: [{ type: 'add', params: { by: 1 } }, { type: 'remember', params: { what: 'inc' } }, 'report'],
        },
        DEC: { guard: 'isPositive', actions: [{ type: 'add', params: () => ({ by: -1 }) }, { type: 'remember', params: ({ event }) => ({ what: event.type }) }] },
        SET_MAX: { actions: assign({ max: ({ event }) => event.max }) },
        RESET: { target: 'active', reenter: true, actions: [assign({ n: 0 }), log('reset')] },
      },
      always: { guard: ({ context }) => context.n === 3, target: 'full' },
    },
    full: { entry: raise({ type: 'DEC' }), on: { DEC: { target: 'active', actions: { type: 'add', params: { by: -3 } } } } },
  },
});
