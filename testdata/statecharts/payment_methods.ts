import { fromPromise, setup } from 'xstate';

export const payment = setup({
  types: {
    events: {} as { type: 'SELECT_CARD' } | { type: 'SELECT_BANK' } | { type: 'SUBMIT' } | { type: 'HELP' } | { type: 'CLOSE' } | { type: 'RETRY' },
  },
  actors: {
    authorise: fromPromise(async () => 'ok'),
    capture: fromPromise(async () => 'ok'),
  },
}).createMachine({
  id: 'payment',
  initial: 'method',
  states: {
    method: {
      initial: 'card',
      states: {
        card: { on: { SELECT_BANK: 'bank' } },
        bank: { on: { SELECT_CARD: 'card' } },
        hist: { type: 'history' },
      },
      on: { SUBMIT: 'processing', HELP: 'help' },
    },
    help: { on: { CLOSE: 'method.hist' } },
    processing: {
      initial: 'authorising',
      states: {
        authorising: { invoke: { src: 'authorise', onDone: 'capturing', onError: '#payment.failed' } },
        capturing: { invoke: { src: 'capture', onDone: 'captured', onError: '#payment.failed' } },
        captured: { type: 'final' },
      },
      onDone: 'paid',
    },
    failed: { on: { RETRY: 'method.hist' } },
    paid: { type: 'final' },
  },
});
