import { assign, enqueueActions, log, raise, setup } from 'xstate';

export const garageDoor = setup({
  types: {
    context: {} as { cycles: number; lastOpened: boolean },
    events: {} as { type: 'BUTTON' } | { type: 'TOP' } | { type: 'BOTTOM' } | { type: 'BEAM' } | { type: 'SERVICE' },
  },
  guards: { isDue: ({ context }) => context.cycles >= 3 },
}).createMachine({
  id: 'garage',
  context: { cycles: 0, lastOpened: false },
  initial: 'closed',
  states: {
    closed: {
      entry: [
        log('closed'),
        assign({ lastOpened: false }),
      ],
      on: { BUTTON: [{ guard: 'isDue', target: 'maintenance' }, { target: 'opening' }] },
    },
    opening: { on: { TOP: 'open', BUTTON: 'halted' } },
    open: {
      entry: enqueueActions(({ enqueue }) => {
        enqueue.assign({ cycles: ({ context }) => context.cycles + 1 });
        enqueue.assign({ lastOpened: true });
      }),
      on: { BUTTON: 'closing' },
      after: { 120000: 'closing' },
    },
    closing: {
      on: {
        BOTTOM: 'closed',
        BUTTON: 'halted',
        BEAM: { target: 'opening', actions: raise({ type: 'BUTTON' }, { delay: 1000 }) },
      },
    },
    halted: { on: { BUTTON: [{ guard: ({ context }) => context.lastOpened, target: 'closing' }, { target: 'opening' }] } },
    maintenance: { on: { SERVICE: { target: 'closed', actions: assign({ cycles: 0 }) } } },
  },
});
