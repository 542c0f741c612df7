import { setup, assign, fromCallback, raise, log, cancel } from 'xstate';

const MAX_RECONNECTS = 5;

export const socketMachine = setup({
  types: {
    context: {} as { retries: number; lastMessage?: string; queue: string[] },
    events: {} as
      | { type: 'CONNECT'; url: string }
      | { type: 'SOCKET.OPEN' }
      | { type: 'SOCKET.CLOSE'; code: number }
      | { type: 'SOCKET.ERROR' }
      | { type: 'MESSAGE'; data: string }
      | { type: 'SEND'; data: string }
      | { type: 'PING' }
      | { type: 'DISCONNECT' },
  },
  actors: {
    socket: fromCallback(({ sendBack, receive }) => {
      receive((e) => console.log(e));
      return () => sendBack({ type: 'SOCKET.CLOSE' });
    }),
  },
  delays: {
    backoff: ({ context }) => Math.min(1000 * 2 ** context.retries, 30000),
  },
  guards: {
    canReconnect: ({ context }) => context.retries < MAX_RECONNECTS,
    wasClean: ({ event }) => event.type === 'SOCKET.CLOSE' && event.code === 1000,
  },
}).createMachine({
  id: 'socket',
  context: { retries: 0, queue: [] },
  initial: 'disconnected',
  states: {
    disconnected: { on: { CONNECT: 'connection' } },
    connection: {
      invoke: { src: 'socket', id: 'ws' },
      initial: 'connecting',
      on: {
        DISCONNECT: 'disconnected',
        'SOCKET.CLOSE': [
          { guard: 'wasClean', target: 'disconnected' },
          { guard: 'canReconnect', target: 'reconnecting', actions: assign({ retries: ({ context }) => context.retries + 1 }) },
          { target: 'failed' },
        ],
        'SOCKET.*': { actions: log('socket event') },
      },
      states: {
        connecting: { on: { 'SOCKET.OPEN': { target: 'open', actions: assign({ retries: 0 }) }, SEND: { actions: assign({ queue: ({ context, event }) => [...context.queue, event.data] }) } } },
        open: {
          entry: [raise({ type: 'PING' }, { delay: 10000, id: 'ping' })],
          exit: cancel('ping'),
          on: {
            PING: { target: 'open', reenter: true, actions: ({ context }) => console.log('ping', context.retries) },
            MESSAGE: { actions: assign({ lastMessage: ({ event }) => event.data }) },
            SEND: {},
          },
        },
      },
    },
    reconnecting: { after: { backoff: 'connection' }, on: { DISCONNECT: 'disconnected' } },
    failed: { on: { CONNECT: { target: 'connection', actions: assign({ retries: 0 }) } } },
  },
});
