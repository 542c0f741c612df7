import { assign, createMachine, raise } from 'xstate';

export const coffeeMachine = createMachine(
  {
    id: 'coffee',
    context: { water: 2, beans: 3, cups: 0 },
    initial: 'off',
    states: {
      off: { on: { POWER: 'heating' } },
      heating: { after: { HEAT: 'ready' }, on: { POWER: 'off' } },
      ready: {
        on: {
          BREW: [
            { guard: 'noWater', target: 'empty.water' },
            { guard: 'noBeans', target: 'empty.beans' },
            { target: 'brewing' },
          ],
          POWER: 'off',
        },
      },
      brewing: {
        initial: 'grinding',
        entry: 'useUp',
        states: {
          grinding: { after: { 3000: 'pouring' } },
          pouring: { after: { 5000: 'finished' } },
          finished: { type: 'final' },
        },
        onDone: { target: 'ready', actions: assign({ cups: ({ context }) => Math.min(3, context.cups + 1) }) },
        on: { CANCEL: { actions: raise({ type: 'ABORTED' }) }, ABORTED: 'ready' },
      },
      empty: {
        initial: 'water',
        states: {
          water: { on: { FILL_WATER: { target: '#coffee.ready', actions: assign({ water: 2 }) } } },
          beans: { on: { FILL_BEANS: { target: '#coffee.ready', actions: assign({ beans: 3 }) } } },
        },
        on: { POWER: 'off' },
      },
    },
  },
  {
    guards: {
      noWater: ({ context }) => context.water === 0,
      noBeans: ({ context }) => context.beans === 0,
    },
    actions: {
      useUp: assign({
        water: ({ context }) => context.water - 1,
        beans: ({ context }) => context.beans - 1,
      }),
    },
    delays: { HEAT: 20000 },
  },
);
