import { and, assign, not, or, setup, stateIn } from 'xstate';

export const thermostat = setup({
  types: {
    context: {} as { temperature: number; target: number },
    events: {} as
      | { type: 'WARMER' }
      | { type: 'COLDER' }
      | { type: 'TURN_UP' }
      | { type: 'TURN_DOWN' }
      | { type: 'WINDOW' }
      | { type: 'CHECK' },
  },
  guards: {
    tooCold: ({ context }) => context.temperature < context.target,
    tooWarm: ({ context }) => context.temperature > context.target + 1,
    windowOpen: stateIn({ window: 'open' }),
  },
}).createMachine({
  id: 'thermostat',
  context: { temperature: 3, target: 4 },
  type: 'parallel',
  on: {
    WARMER: { guard: ({ context }) => context.temperature < 7, actions: assign({ temperature: ({ context }) => context.temperature + 1 }) },
    COLDER: { guard: ({ context }) => context.temperature > 0, actions: assign({ temperature: ({ context }) => context.temperature - 1 }) },
    TURN_UP: { guard: ({ context }) => context.target < 6, actions: assign({ target: ({ context }) => context.target + 1 }) },
    TURN_DOWN: { guard: ({ context }) => context.target > 2, actions: assign({ target: ({ context }) => context.target - 1 }) },
  },
  states: {
    heating: {
      initial: 'off',
      states: {
        off: { on: { CHECK: { guard: and(['tooCold', not('windowOpen')]), target: 'on' } } },
        on: { on: { CHECK: { guard: or(['tooWarm', 'windowOpen']), target: 'off' } } },
      },
    },
    window: {
      initial: 'closed',
      states: {
        closed: { on: { WINDOW: 'open' } },
        open: { on: { WINDOW: 'closed' } },
      },
    },
  },
});
