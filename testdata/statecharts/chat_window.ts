import { assign, emit, fromCallback, fromObservable, fromPromise, raise, sendTo, setup, assertEvent } from 'xstate';

type Ctx = { unread: number; retries: number; draft: string; muted: boolean; peers: Set<string>; lastError: Error | null };
const backoff = (n: number) => Math.min(1_000 * Math.pow(2, n), 16_000);

export const chatMachine = setup({
  types: {
    context: {} as Ctx,
    events: {} as
      | { type: 'connect' } | { type: 'disconnect' } | { type: 'ws.open' } | { type: 'ws.close'; code: number } | { type: 'ws.message'; from: string }
      | { type: 'draft.change'; value: string } | { type: 'draft.send' } | { type: 'mute' } | { type: 'focus' } | { type: 'blur' },
    emitted: {} as { type: 'notify' },
  },
  actors: {
    socket: fromCallback<{ type: 'out'; text: string }>(({ receive, sendBack }) => { receive(() => {}); return () => {}; }),
    typing: fromPromise(async () => {}),
  },
  delays: {
    backoff: ({ context }) => backoff(context.retries),
    typingTimeout: 3000,
  },
  guards: {
    normalClosure: ({ event }) => { assertEvent(event, 'ws.close'); return event.code === 1000; },
    exhausted: ({ context }) => context.retries >= 5,
    hasDraft: ({ context }) => context.draft.trim() !== '',
  },
  actions: {
    bumpRetries: assign({ retries: ({ context }) => context.retries + 1 }),
    resetRetries: assign({ retries: 0 }),
    addUnread: assign({ unread: ({ context }) => (context.unread < 99 ? context.unread + 1 : context.unread) }),
    notify: emit({ type: 'notify' }),
    setDraft: assign({ draft: ({ event }) => { assertEvent(event, 'draft.change'); return event.value; } }),
    clearDraft: assign({ draft: '' }),
  },
}).createMachine({
  id: 'chat',
  type: 'parallel',
  context: { unread: 0, retries: 0, draft: '', muted: false, peers: new Set(), lastError: null },
  states: {
    connection: {
      initial: 'offline',
      states: {
        offline: { on: { connect: 'online' } },
        online: {
          invoke: { src: 'socket', id: 'socket' },
          initial: 'opening',
          states: {
            opening: { on: { 'ws.open': { target: 'open', actions: 'resetRetries' } }, after: { 10000: '#chat.connection.retrying' } },
            open: { on: { 'draft.send': { guard: 'hasDraft', actions: [sendTo('socket', ({ context }) => ({ type: 'out', text: context.draft })), 'clearDraft'] } } },
          },
          on: {
            'ws.close': [
              { guard: 'normalClosure', target: 'offline' },
              { guard: 'exhausted', target: 'failed' },
              { target: 'retrying', actions: 'bumpRetries' },
            ],
            disconnect: 'offline',
          },
        },
        retrying: { after: { backoff: 'online' }, on: { disconnect: 'offline', connect: 'online' } },
        failed: { entry: assign({ lastError: () => new Error('gave up') }), on: { connect: { target: 'online', actions: ['resetRetries', assign({ lastError: null })] } } },
      },
    },
    window: {
      initial: 'focused',
      states: {
        focused: { entry: assign({ unread: 0 }), on: { blur: 'blurred' } },
        blurred: {
          on: {
            focus: 'focused',
            'ws.message': [
              { guard: ({ context }) => !context.muted, actions: ['addUnread', 'notify'] },
              { actions: 'addUnread' },
            ],
          },
        },
      },
      on: { mute: { actions: assign({ muted: ({ context }) => !context.muted }) } },
    },
    composer: {
      initial: 'idle',
      states: {
        idle: {},
        typing: { invoke: { src: 'typing' }, after: { typingTimeout: 'idle' } },
      },
      on: {
        'draft.change': { target: '.typing', reenter: true, actions: 'setDraft' },
        'draft.send': '.idle',
      },
    },
  },
});
