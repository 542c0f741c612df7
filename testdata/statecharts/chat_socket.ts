import { assign, fromCallback, setup, sendTo, enqueueActions } from 'xstate';

type Outgoing = { type: 'message'; text: string };

const socket = fromCallback<Outgoing, { url: string }>(({ sendBack, receive, input }) => {
  const ws = new WebSocket(input.url);
  ws.addEventListener('open', () => sendBack({ type: 'socket.open' }));
  ws.addEventListener('close', () => sendBack({ type: 'socket.close' }));
  receive((event) => ws.send(event.text));
  return () => ws.close();
});

export default setup({
  types: {
    context: {} as { url: string; unread: number; retries: number; outbox: string[]; online: boolean },
    events: {} as
      | { type: 'socket.open' } | { type: 'socket.close' } | { type: 'socket.message'; text: string }
      | { type: 'send'; text: string } | { type: 'read' } | { type: 'online' } | { type: 'offline' } | { type: 'disconnect' },
  },
  actors: { socket },
  delays: { reconnect: ({ context }) => Math.min(1000 * 2 ** context.retries, 30000) },
  guards: {
    tooManyRetries: ({ context }) => context.retries >= 4,
    hasOutbox: ({ context }) => context.outbox.length > 0,
  },
  actions: {
    queue: assign({ outbox: ({ context, event }) => [...context.outbox, (event as { text: string }).text] }),
    flush: enqueueActions(({ context, enqueue }) => {
      for (const text of context.outbox) {
        enqueue.sendTo('socket', { type: 'message', text });
      }
      enqueue.assign({ outbox: [] });
    }),
    countUnread: assign({ unread: ({ context }) => context.unread >= 9 ? 9 : context.unread + 1 }),
  },
}).createMachine({
  id: 'chat',
  context: { url: 'wss://example.com', unread: 0, retries: 0, outbox: [], online: true },
  initial: 'disconnected',
  states: {
    disconnected: {
      on: { online: 'connecting', send: { actions: 'queue' } },
    },
    connecting: {
      invoke: { id: 'socket', src: 'socket', input: ({ context }) => ({ url: context.url }) },
      on: {
        'socket.open': { target: 'connected', actions: assign({ retries: 0 }) },
        'socket.close': [{ guard: 'tooManyRetries', target: 'failed' }, { target: 'waiting' }],
      },
      after: { 8000: 'waiting' },
    },
    waiting: {
      entry: assign({ retries: ({ context }) => context.retries + 1 }),
      after: { reconnect: 'connecting' },
    },
    connected: {
      entry: 'flush',
      on: {
        send: { actions: sendTo('socket', ({ event }) => ({ type: 'message', text: event.text })) },
        'socket.message': { actions: 'countUnread' },
        read: { actions: assign({ unread: 0 }) },
        'socket.close': 'waiting',
      },
    },
    failed: { on: { online: { target: 'connecting', actions: assign({ retries: 0 }) } } },
  },
  on: { disconnect: '.disconnected', offline: { target: '.disconnected', actions: assign({ online: false }) } },
});
