import { assign, setup } from 'xstate';

export const notifications = setup({
  types: {
    context: {} as { unread: number },
    events: {} as
      | { type: 'notify.mail' }
      | { type: 'notify.chat' }
      | { type: 'notify.chat.mention' }
      | { type: 'read' }
      | { type: 'mute' }
      | { type: 'unmute' },
  },
}).createMachine({
  id: 'notifications',
  context: { unread: 0 },
  initial: 'on',
  states: {
    on: {
      initial: 'none',
      states: {
        none: {},
        some: { on: { 'notify.chat.mention': 'urgent' } },
        urgent: {},
      },
      on: {
        'notify.*': {
          target: '.some',
          actions: assign({ unread: ({ context }) => (context.unread < 3 ? context.unread + 1 : 3) }),
        },
        read: { target: '.none', actions: assign({ unread: 0 }) },
        mute: 'muted',
      },
    },
    muted: {
      on: {
        'notify.chat.*': { guard: ({ context }) => context.unread < 3, actions: assign({ unread: ({ context }) => context.unread + 1 }) },
        unmute: [{ guard: ({ context }) => context.unread > 0, target: 'on.some' }, { target: 'on' }],
      },
    },
  },
});
