import { createMachine, assign, raise, cancel } from 'xstate';

enum Dir { Up = 'up', Down = 'down', None = 'none' }
const FLOORS = 4;
const clamp = (n: number, lo: number, hi: number) => Math.min(Math.max(n, lo), hi);

export const elevator = createMachine({
  types: {} as { context: { floor: number; target: number; dir: Dir; overload: boolean } },
  id: 'elevator',
  context: { floor: 0, target: 0, dir: Dir.None, overload: false },
  type: 'parallel',
  states: {
    cabin: {
      initial: 'waiting',
      states: {
        waiting: {
          on: {
            CALL_UP: { guard: ({ context }) => context.floor < FLOORS - 1, target: 'moving', actions: assign({ target: ({ context }) => clamp(context.floor + 1, 0, FLOORS - 1), dir: Dir.Up }) },
            CALL_DOWN: { guard: ({ context }) => context.floor > 0, target: 'moving', actions: assign({ target: ({ context }) => clamp(context.floor - 1, 0, FLOORS - 1), dir: Dir.Down }) },
          },
        },
        moving: {
          entry: raise({ type: 'ARRIVED' }, { delay: 1500, id: 'arrival' }),
          exit: cancel('arrival'),
          on: {
            ARRIVED: {
              target: 'arrived',
              actions: assign(({ context }) => ({ floor: context.target, dir: Dir.None })),
            },
            EMERGENCY: '#elevator.cabin.halted',
          },
        },
        arrived: { always: { target: 'waiting', guard: ({ context }) => context.floor === context.target, actions: raise({ type: 'OPEN' }) } },
        halted: { on: { RESET: 'waiting' } },
      },
    },
    doors: {
      initial: 'closed',
      states: {
        closed: { on: { OPEN: 'opening' } },
        opening: { after: { 500: 'open' } },
        open: {
          after: { 3000: { target: 'closing', guard: ({ context }) => !context.overload } },
          on: { OVERLOAD: { actions: assign({ overload: true }) }, CLEAR: { actions: assign({ overload: false }), target: 'closing' } },
        },
        closing: { after: { 500: 'closed' }, on: { OBSTACLE: 'opening', OPEN: 'opening' } },
      },
    },
  },
});
