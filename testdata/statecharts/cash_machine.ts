import { assign, raise, setup } from 'xstate';

export const cashMachine = setup({
  types: {
    context: {} as { tries: number; balance: number },
    events: {} as
      | { type: 'CARD' }
      | { type: 'PIN_OK' }
      | { type: 'PIN_BAD' }
      | { type: 'WITHDRAW' }
      | { type: 'BALANCE' }
      | { type: 'EJECT' }
      | { type: 'TAKE_CARD' },
  },
  guards: {
    covered: ({ context }) => context.balance >= 20,
    triesLeft: ({ context }) => context.tries < 2,
  },
}).createMachine({
  id: 'atm',
  context: { tries: 0, balance: 60 },
  initial: 'idle',
  states: {
    idle: { on: { CARD: { target: 'pin', actions: assign({ tries: 0 }) } } },
    pin: {
      on: {
        PIN_OK: 'menu',
        PIN_BAD: [
          { guard: 'triesLeft', actions: assign({ tries: ({ context }) => context.tries + 1 }) },
          { target: 'retained' },
        ],
        EJECT: 'ejecting',
      },
      after: { 30000: 'ejecting' },
    },
    menu: {
      initial: 'choosing',
      states: {
        choosing: { on: { BALANCE: 'balance', WITHDRAW: [{ guard: 'covered', target: 'paying' }, { target: 'refused' }] } },
        balance: { after: { 5000: 'choosing' } },
        refused: { after: { 5000: 'choosing' } },
        paying: {
          entry: assign({ balance: ({ context }) => context.balance - 20 }),
          after: { 2000: { actions: raise({ type: 'EJECT' }) } },
        },
      },
      on: { EJECT: 'ejecting' },
    },
    ejecting: { on: { TAKE_CARD: 'idle' }, after: { 15000: 'retained' } },
    retained: { type: 'final' },
  },
});
