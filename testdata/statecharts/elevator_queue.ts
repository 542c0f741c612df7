import { assign, setup, raise } from 'xstate';

const FLOORS = 4;
export const elevator = setup({
  types: {
    context: {} as { floor: number; queue: number[]; doorOpen: boolean; direction: 'up' | 'down' | 'none' },
    events: {} as { type: 'CALL'; floor: number } | { type: 'ARRIVED' } | { type: 'DOOR.CLOSED' } | { type: 'EMERGENCY' } | { type: 'RESET' },
  },
  guards: {
    hasCalls: ({ context }) => context.queue.length > 0,
    above: ({ context }) => context.queue[0] > context.floor,
    atTarget: ({ context }) => context.queue.at(0) === context.floor,
    validFloor: ({ event, context }) => event.type === 'CALL' && event.floor >= 0 && event.floor < FLOORS && !context.queue.includes(event.floor),
  },
  actions: {
    enqueue: assign({ queue: ({ context, event }) => (event.type === 'CALL' ? [...context.queue, event.floor] : context.queue) }),
    dequeue: assign({ queue: ({ context }) => context.queue.filter((f) => f !== context.floor) }),
    move: assign({ floor: ({ context }) => context.direction === 'up' ? context.floor + 1 : context.floor - 1 }),
  },
}).createMachine({
  id: 'elevator',
  initial: 'operational',
  context: { floor: 0, queue: [], doorOpen: false, direction: 'none' },
  states: {
    operational: {
      initial: 'idle',
      on: { CALL: { guard: 'validFloor', actions: 'enqueue' }, EMERGENCY: 'stopped' },
      states: {
        idle: { entry: assign({ direction: 'none' }), always: { guard: 'hasCalls', target: 'deciding' } },
        deciding: {
          always: [
            { guard: 'atTarget', target: 'doors' },
            { guard: 'above', target: 'moving', actions: assign({ direction: 'up' }) },
            { target: 'moving', actions: assign({ direction: 'down' }) },
          ],
        },
        moving: { after: { 2000: { target: 'deciding', actions: 'move' } } },
        doors: {
          entry: ['dequeue', assign({ doorOpen: true })],
          exit: assign({ doorOpen: false }),
          initial: 'open',
          states: { open: { after: { 3000: 'closing' } }, closing: { on: { 'DOOR.CLOSED': 'closed', CALL: { target: 'open' } } }, closed: { type: 'final' } },
          onDone: 'idle',
        },
        hist: { type: 'history', history: 'deep' },
      },
    },
    stopped: { on: { RESET: 'operational.hist' } },
  },
});
