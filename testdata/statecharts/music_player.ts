import { assign, setup, and, not, stateIn, raise } from 'xstate';

export const playerMachine = setup({
  types: {
    context: {} as { volume: number; muted: boolean; track: number; total: number; repeat: 'off' | 'one' | 'all' },
    events: {} as
      | { type: 'PLAY' } | { type: 'PAUSE' } | { type: 'STOP' }
      | { type: 'NEXT' } | { type: 'PREV' } | { type: 'VOL_UP' } | { type: 'VOL_DOWN' }
      | { type: 'MUTE' } | { type: 'ENDED' } | { type: 'CYCLE_REPEAT' } | { type: 'POWER' },
  },
  guards: {
    hasNext: ({ context: { track, total } }) => track < total - 1,
    hasPrev: ({ context }) => context.track > 0,
    loud: ({ context }) => context.volume >= 10,
    silent: ({ context }) => context.volume === 0,
    repeatsAll: ({ context }) => context.repeat === 'all',
    repeatsOne: ({ context }) => context.repeat === 'one',
  },
  actions: {
    nextTrack: assign({ track: ({ context }) => (context.track + 1) % context.total }),
    prevTrack: assign({ track: ({ context }) => Math.max(0, context.track - 1) }),
    louder: assign({ volume: ({ context }) => Math.min(10, context.volume + 1) }),
    softer: assign({ volume: ({ context }) => Math.max(0, context.volume - 1) }),
    toggleMute: assign({ muted: ({ context }) => !context.muted }),
    cycleRepeat: assign({
      repeat: ({ context }) => {
        switch (context.repeat) {
          case 'off':
            return 'one';
          case 'one':
            return 'all';
          default:
            return 'off';
        }
      },
    }),
    log: ({ context, event }) => console.log(event.type, context),
  },
}).createMachine({
  id: 'player',
  context: { volume: 5, muted: false, track: 0, total: 3, repeat: 'off' },
  initial: 'on',
  states: {
    off: { on: { POWER: 'on.hist' } },
    on: {
      type: 'parallel',
      on: { POWER: 'off' },
      states: {
        hist: { type: 'history', history: 'deep' },
        transport: {
          initial: 'stopped',
          states: {
            stopped: { on: { PLAY: 'playing' } },
            playing: {
              entry: 'log',
              on: {
                PAUSE: 'paused',
                STOP: 'stopped',
                ENDED: [
                  { guard: 'repeatsOne', target: 'playing', reenter: true },
                  { guard: 'hasNext', actions: 'nextTrack', target: 'playing' },
                  { guard: 'repeatsAll', actions: 'nextTrack' },
                  { target: 'stopped', actions: assign({ track: 0 }) },
                ],
              },
            },
            paused: { on: { PLAY: 'playing', STOP: 'stopped' } },
          },
          on: {
            NEXT: { guard: 'hasNext', actions: 'nextTrack' },
            PREV: { guard: 'hasPrev', actions: ['prevTrack', raise({ type: 'PLAY' })] },
          },
        },
        audio: {
          initial: 'unmuted',
          states: {
            unmuted: { on: { MUTE: { target: 'muted', actions: 'toggleMute' } } },
            muted: {
              on: {
                MUTE: { target: 'unmuted', actions: 'toggleMute' },
                VOL_UP: { target: 'unmuted', actions: ['louder', assign({ muted: false })] },
              },
            },
          },
          on: {
            VOL_UP: { guard: not('loud'), actions: 'louder' },
            VOL_DOWN: [
              { guard: and([not('silent'), stateIn({ on: { transport: 'playing' } })]), actions: 'softer' },
            ],
          },
        },
      },
    },
  },
  // the same everywhere
  on: { CYCLE_REPEAT: { actions: 'cycleRepeat' } },
});
