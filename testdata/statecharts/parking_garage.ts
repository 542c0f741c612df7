import { setup, assign, raise, cancel, sendTo, fromTransition, fromEventObservable, enqueueActions, emit } from 'xstate';
const barrier = fromTransition((state: { open: boolean }, event: { type: 'raise' } | { type: 'lower' }) => event.type === 'raise' ? { open: true } : { open: false }, { open: false });
export const garage = setup({
  types: { context: {} as { free: number; ticketsSold: number; alarmed: boolean }, events: {} as { type: 'CAR.IN' } | { type: 'CAR.OUT' } | { type: 'TICKET' } | { type: 'PASSED' } | { type: 'TIMEOUT' } | { type: 'ALARM' } | { type: 'CLEAR' } | { type: 'HEARTBEAT' }, emitted: {} as { type: 'full' } },
  actors: { barrier },
  guards: { isFull: ({ context }) => context.free === 0, isEmpty: ({ context }) => context.free === 2 },
}).createMachine({
  id: 'garage',
  context: { free: 2, ticketsSold: 0, alarmed: false },
  invoke: { src: 'barrier', id: 'barrier', systemId: 'the-barrier' },
  type: 'parallel',
  states: {
    entrance: {
      initial: 'closed',
      states: {
        closed: { on: { 'CAR.IN': [{ guard: 'isFull', actions: emit({ type: 'full' }) }, { target: 'ticketing' }] } },
        ticketing: {
          entry: raise({ type: 'TIMEOUT' }, { delay: 20_000, id: 'ticketTimeout' }),
          exit: cancel('ticketTimeout'),
          on: { TICKET: { target: 'open', actions: assign({ ticketsSold: ({ context }) => (context.ticketsSold + 1) % 4 }) }, TIMEOUT: 'closed' },
        },
        open: {
          entry: sendTo('barrier', { type: 'raise' }),
          exit: [sendTo('barrier', { type: 'lower' }), assign({ free: ({ context }) => context.free - 1 })],
          on: { PASSED: 'closed' },
        },
      },
    },
    exit: {
      initial: 'closed',
      states: {
        closed: { on: { 'CAR.OUT': { guard: ({ context }) => !(context.free === 2), target: 'open' } } },
        open: { on: { PASSED: { target: 'closed', actions: assign({ free: ({ context }) => Math.min(2, context.free + 1) }) } } },
      },
    },
    monitor: {
      initial: 'watching',
      states: {
        watching: {
          entry: enqueueActions(({ enqueue }) => { enqueue.raise({ type: 'HEARTBEAT' }, { id: 'hb', delay: 5000 }); }),
          on: { HEARTBEAT: { target: 'watching', reenter: true }, ALARM: 'alarm' },
          exit: cancel('hb'),
        },
        alarm: { entry: assign({ alarmed: true }), exit: assign({ alarmed: () => false }), on: { CLEAR: 'watching' } },
      },
    },
  },
});
