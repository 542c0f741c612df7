import { createMachine, assign } from 'xstate';

export const settings = createMachine({
  id: 'settings',
  initial: 'closed',
  context: { opened: 0, theme: 'light' as 'light' | 'dark', label: '' },
  states: {
    closed: { on: { OPEN: { target: 'panel.hist', actions: assign({ opened: ({ context }) => (context.opened + 1) % 3 }) } } },
    panel: {
      type: 'parallel',
      states: {
        wifi: { initial: 'off', states: { off: { on: { WIFI: 'on' } }, on: { on: { WIFI: 'off' } } } },
        bluetooth: { initial: 'off', states: { off: { on: { BT: 'on' } }, on: { on: { BT: 'off' } } } },
        hist: { type: 'history', history: 'deep' },
      },
      on: {
        CLOSE: 'closed',
        THEME: { actions: assign({ theme: ({ context }) => (context.theme === 'light' ? 'dark' : 'light'), label: ({ context }) => `theme: ${context.theme}` }) },
      },
    },
  },
});
