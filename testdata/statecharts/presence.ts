import { assign, setup } from 'xstate';

export const presence = setup({
  types: {
    context: {} as { devices: number },
    events: {} as { type: 'JOIN' } | { type: 'LEAVE' } | { type: 'IDLE' } | { type: 'ACTIVE' } | { type: 'BUSY' } | { type: 'FREE' },
  },
}).createMachine({
  id: 'presence',
  context: { devices: 0 },
  type: 'parallel',
  states: {
    connection: {
      initial: 'offline',
      states: {
        offline: {
          always: { guard: ({ context }) => context.devices > 0, target: 'online' },
        },
        online: {
          initial: 'active',
          always: { guard: ({ context }) => context.devices === 0, target: 'offline' },
          states: {
            active: { on: { IDLE: 'away' }, after: { 300000: 'away' } },
            away: { on: { ACTIVE: 'active' } },
          },
        },
      },
      on: {
        JOIN: { guard: ({ context }) => context.devices < 3, actions: assign({ devices: ({ context }) => context.devices + 1 }) },
        LEAVE: { guard: ({ context }) => context.devices > 0, actions: assign({ devices: ({ context }) => context.devices - 1 }) },
      },
    },
    status: {
      initial: 'free',
      states: {
        free: { on: { BUSY: 'busy' } },
        busy: { on: { FREE: 'free' }, after: { 3600000: 'free' } },
      },
    },
  },
});
