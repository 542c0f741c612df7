import { setup, assign, fromCallback, fromPromise, raise, sendTo, stateIn, not } from 'xstate';
export const callMachine = setup({
  types: {} as { context: { muted: boolean; camera: boolean; participants: number; reason?: string }; events: any },
  actors: { media: fromPromise(async () => new Object()), signalling: fromCallback<any>(() => {}), recorder: fromCallback<any>(() => {}) },
  delays: { ringTimeout: 30000 },
}).createMachine({
  id: 'call',
  context: { muted: false, camera: true, participants: 0 },
  initial: 'idle',
  states: {
    idle: { on: { DIAL: 'dialing', INCOMING: 'ringing' } },
    dialing: { invoke: { src: 'media', onDone: 'ringing', onError: { target: 'idle', actions: assign({ reason: 'no-media' }) } } },
    ringing: {
      on: { ACCEPT: 'connected', DECLINE: 'ended' },
      after: { ringTimeout: { target: 'ended', actions: assign({ reason: 'timeout' }) } },
    },
    connected: {
      entry: assign({ participants: 2 }),
      invoke: { id: 'signal', src: 'signalling' },
      type: 'parallel',
      on: { HANGUP: 'ended', 'peer.left': [{ guard: ({ context }) => context.participants > 2, actions: assign({ participants: ({ context }) => context.participants - 1 }) }, { target: 'ended', actions: assign({ participants: 1 }) }], 'peer.joined': { guard: ({ context }) => context.participants < 4, actions: [assign({ participants: ({ context: c }) => c.participants + 1 }), sendTo('signal', { type: 'welcome' })] } },
      states: {
        audio: {
          initial: 'on',
          states: {
            on: { entry: assign({ muted: false }), on: { TOGGLE_MUTE: 'off' } },
            off: { entry: assign({ muted: true }), on: { TOGGLE_MUTE: 'on', SPEAK: { actions: raise({ type: 'HINT' }) } } },
          },
        },
        video: { initial: 'on', states: { on: { on: { CAMERA: { target: 'off', actions: assign({ camera: false }) } } }, off: { on: { CAMERA: { target: 'on', actions: assign({ camera: true }) } } } } },
        hint: { initial: 'hidden', states: { hidden: { on: { HINT: 'shown' } }, shown: { after: { 2000: 'hidden' } } } },
        recording: {
          initial: 'stopped',
          states: {
            stopped: { on: { RECORD: { guard: not(stateIn('#call.connected.audio.off')), target: 'active' } } },
            active: { invoke: { id: 'rec', src: 'recorder' }, on: { RECORD: 'stopped' }, always: { guard: stateIn({ connected: { audio: 'off' } }), target: 'stopped' } },
          },
        },
      },
    },
    ended: { after: { 1000: { target: 'idle', actions: assign({ participants: 0, reason: undefined }) } } },
  },
});
