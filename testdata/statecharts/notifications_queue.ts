import { assign, raise, sendTo, setup } from 'xstate';
type Notice = { id: number; level: 'info' | 'warning' | 'error' };
export const notices = setup({
  types: { context: {} as { queue: Notice[]; current: Notice | null; paused: boolean }, events: {} as { type: 'notify.info' } | { type: 'notify.error' } | { type: 'dismiss' } | { type: 'hover' } | { type: 'leave' } },
  actions: {
    show: assign(({ context }) => {
      const [first, ...rest] = context.queue;
      return { current: first ?? null, queue: rest };
    }),
    pushInfo: assign({ queue: ({ context }) => context.queue.length >= 2 ? context.queue : [...context.queue, { id: 1, level: 'info' as const }] }),
    pushError: assign({ queue: ({ context }) => [{ id: 2, level: 'error' as const }, ...context.queue].slice(0, 2) }),
  },
  guards: { isError: ({ context }) => context.current?.level === 'error', more: ({ context }) => context.queue.length > 0 },
}).createMachine({
  id: 'notices', initial: 'empty',
  context: { queue: [], current: null, paused: false },
  states: {
    empty: { always: { guard: 'more', target: 'showing' } },
    showing: {
      entry: 'show', exit: assign({ current: null }),
      initial: 'deciding',
      states: {
        deciding: { always: [{ guard: 'isError', target: 'sticky' }, { target: 'timed' }] },
        sticky: {},
        timed: { after: { 4000: '#notices.next' }, on: { hover: 'held' } },
        held: { on: { leave: 'timed' } },
      },
      on: { dismiss: 'next' },
    },
    next: { always: [{ guard: 'more', target: 'showing' }, 'empty'] },
  },
  on: { 'notify.info': { actions: 'pushInfo' }, 'notify.error': { actions: 'pushError' } },
});
