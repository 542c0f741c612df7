import { assign, fromPromise, setup } from 'xstate';
const ok = fromPromise(async () => true);
export const orderSaga = setup({
  types: { context: {} as { reserved: boolean; charged: boolean; compensated: string[]; failure?: 'stock' | 'payment' | 'shipping' }, input: {} as { orderId: string } },
  actors: { reserve: ok, charge: ok, ship: ok, refund: ok, release: ok },
  actions: {
    fail: assign({ failure: (_, { reason }: { reason: 'stock' | 'payment' | 'shipping' }) => reason }),
    note: assign({ compensated: ({ context }, params: { step: string }) => context.compensated.concat(params.step) }),
  },
}).createMachine({
  id: 'saga',
  context: { reserved: false, charged: false, compensated: [] },
  initial: 'reserving',
  states: {
    reserving: {
      invoke: { src: 'reserve', onDone: { target: 'charging', actions: assign({ reserved: true }) }, onError: { target: 'failed', actions: { type: 'fail', params: { reason: 'stock' } } } },
    },
    charging: {
      invoke: { src: 'charge', onDone: { target: 'shipping', actions: assign({ charged: true }) }, onError: { target: 'compensating', actions: { type: 'fail', params: { reason: 'payment' } } } },
      after: { 15000: { target: 'compensating', actions: { type: 'fail', params: { reason: 'payment' } } } },
    },
    shipping: {
      invoke: { src: 'ship', onDone: 'completed', onError: { target: 'compensating', actions: { type: 'fail', params: { reason: 'shipping' } } } },
      on: { CANCEL: 'compensating' },
    },
    compensating: {
      type: 'parallel',
      states: {
        payment: {
          initial: 'deciding',
          states: {
            deciding: { always: [{ guard: ({ context }) => context.charged, target: 'refunding' }, 'done'] },
            refunding: { invoke: { src: 'refund', onDone: { target: 'done', actions: [{ type: 'note', params: { step: 'refund' } }, assign({ charged: false })] }, onError: { target: 'refunding', reenter: true } } },
            done: { type: 'final' },
          },
        },
        stock: {
          initial: 'deciding',
          states: {
            deciding: { always: [{ guard: ({ context: c }) => c.reserved, target: 'releasing' }, { target: 'done' }] },
            releasing: { invoke: { src: 'release', onDone: { target: 'done', actions: [{ type: 'note', params: { step: 'release' } }, assign({ reserved: false })] } } },
            done: { type: 'final' },
          },
        },
      },
      onDone: 'failed',
    },
    completed: { type: 'final', output: { status: 'completed' } },
    failed: { type: 'final' },
  },
  output: ({ context, event }) => ({ failure: context.failure }),
});
