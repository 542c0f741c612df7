import { createMachine, assign } from 'xstate';

export const playerMachine = createMachine({
  id: 'player',
  type: 'parallel',
  context: { volume: 5, muted: false, track: 0, tracks: ['intro', 'song', 'outro'] },
  states: {
    playback: {
      initial: 'stopped',
      states: {
        stopped: { on: { PLAY: 'playing' } },
        playing: {
          on: {
            PAUSE: 'paused',
            STOP: 'stopped',
            NEXT: [
              { guard: ({ context }) => context.track < context.tracks.length - 1, actions: assign({ track: ({ context }) => context.track + 1 }) },
              { target: 'stopped', actions: assign({ track: 0 }) },
            ],
          },
          after: { 5000: { target: 'paused' } },
        },
        paused: { on: { PLAY: 'playing', STOP: 'stopped' } },
      },
      on: { PREV: { guard: ({ context }) => context.track > 0, actions: assign(({ context }) => ({ track: context.track - 1 })) } },
    },
    sound: {
      initial: 'normal',
      states: {
        normal: { on: { MUTE: { target: 'muted', actions: assign({ muted: true }) } } },
        muted: { on: { MUTE: { target: 'normal', actions: assign({ muted: () => false }) } } },
      },
      on: {
        VOLUME_UP: { guard: ({ context }) => context.volume < 10, actions: assign({ volume: ({ context }) => context.volume + 1 }) },
        VOLUME_DOWN: { guard: ({ context }) => context.volume > 0, actions: assign({ volume: ({ context }) => context.volume - 1 }) },
      },
    },
    screen: {
      initial: 'small',
      states: { small: { on: { TOGGLE_FULLSCREEN: 'full' } }, full: { on: { TOGGLE_FULLSCREEN: 'small', ESC: 'small' } } },
    },
  },
});
