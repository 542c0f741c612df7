import { assign, setup, fromPromise, raise, not, and, stateIn } from 'xstate';

type Pose = 'home' | 'pick' | 'place';
export const robot = setup({
  types: {
    context: {} as { pose: Pose; held: boolean; battery: number; picked: number; log: string[] },
    events: {} as { type: 'start' } | { type: 'stop' } | { type: 'estop' } | { type: 'release' } | { type: 'part.detected' } | { type: 'battery.low' } | { type: 'charged' } | { type: 'idle' },
  },
  actors: {
    moveTo: fromPromise<void, { pose: Pose }>(async () => {}),
    grip: fromPromise<{ force: number }, { close: boolean }>(async () => ({ force: 1 })),
  },
  guards: {
    homed: ({ context }) => context.pose === 'home',
    holding: ({ context }) => context.held,
    lowBattery: ({ context }) => context.battery < 20,
    done: ({ context }, params: { max: number }) => context.picked >= params.max,
    notCharging: not(stateIn({ power: 'charging' })),
  },
  actions: {
    setPose: assign({ pose: (_, params: { pose: Pose }) => params.pose }),
    drain: assign({ battery: ({ context }) => Math.max(0, context.battery - 30) }),
    note: assign({ log: ({ context }, p: string) => [...context.log.slice(-1), p] }),
  },
}).createMachine({
  id: 'robot',
  context: { pose: 'home', held: false, battery: 100, picked: 0, log: [] },
  type: 'parallel',
  states: {
    arm: {
      initial: 'idle',
      states: {
        idle: { on: { start: { guard: and(['homed', 'notCharging', not('lowBattery')]), target: 'working' } } },
        working: {
          initial: 'waiting',
          entry: { type: 'note', params: 'work' },
          states: {
            waiting: {
              always: { guard: { type: 'done', params: { max: 2 } }, target: 'finished' },
              on: { 'part.detected': 'picking' },
            },
            picking: {
              initial: 'moving',
              states: {
                moving: { invoke: { src: 'moveTo', input: { pose: 'pick' }, onDone: { target: 'gripping', actions: [{ type: 'setPose', params: { pose: 'pick' } }, 'drain'] }, onError: '#robot.arm.fault' } },
                gripping: { invoke: { src: 'grip', input: { close: true }, onDone: { target: 'gripped', guard: ({ event }) => event.output.force > 0.5, actions: assign({ held: true }) }, onError: 'moving' }, after: { 3000: '#robot.arm.fault' } },
                gripped: { type: 'final' },
              },
              onDone: 'placing',
            },
            placing: {
              invoke: { id: 'place', src: 'moveTo', input: { pose: 'place' }, onDone: { target: 'waiting', actions: [{ type: 'setPose', params: () => ({ pose: 'place' as const }) }, assign({ held: false, picked: ({ context }) => context.picked + 1 }), 'drain'] }, onError: '#robot.arm.fault' },
            },
            finished: { type: 'final' },
            resume: { type: 'history' },
          },
          onDone: { target: 'homing', actions: { type: 'note', params: 'done' } },
          on: { stop: 'homing' },
        },
        homing: { invoke: { src: 'moveTo', input: () => ({ pose: 'home' as Pose }), onDone: { target: 'idle', actions: { type: 'setPose', params: { pose: 'home' } } }, onError: 'fault' } },
        fault: { on: { release: [{ guard: 'holding', target: 'homing', actions: assign({ held: false }) }, { target: 'working.resume' }] } },
      },
      on: { estop: { guard: not(stateIn('#robot.arm.fault')), target: '.fault' } },
    },
    power: {
      initial: 'battery',
      states: {
        battery: { always: { guard: and([{ type: 'lowBattery' }, stateIn({ arm: 'idle' })]), target: 'charging' } },
        charging: { on: { charged: { target: 'battery', actions: assign({ battery: 100 }) } } },
      },
    },
  },
});
