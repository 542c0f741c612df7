import { assign, setup, stateIn } from 'xstate';
export const hvac = setup({
  types: { context: {} as { temp: number; setpoint: number; fan: 'auto' | 'on' } },
  guards: {
    tooCold: ({ context }) => context.temp < context.setpoint - 1,
    tooHot: ({ context }) => context.temp > context.setpoint + 1,
    ok: ({ context }) => Math.abs(context.temp - context.setpoint) <= 1,
  },
}).createMachine({
  id: 'hvac', type: 'parallel',
  context: { temp: 20, setpoint: 20, fan: 'auto' },
  on: {
    'SENSOR.UP': { guard: ({ context }) => context.temp < 24, actions: assign({ temp: ({ context }) => context.temp + 1 }) },
    'SENSOR.DOWN': { guard: ({ context }) => context.temp > 16, actions: assign({ temp: ({ context }) => context.temp - 1 }) },
    'SET.UP': { guard: ({ context }) => context.setpoint < 22, actions: assign({ setpoint: ({ context }) => context.setpoint + 1 }) },
    'SET.DOWN': { guard: ({ context }) => context.setpoint > 18, actions: assign({ setpoint: ({ context }) => context.setpoint - 1 }) },
  },
  states: {
    mode: {
      initial: 'idle',
      states: {
        idle: { always: [{ guard: 'tooCold', target: 'heating' }, { guard: 'tooHot', target: 'cooling' }] },
        heating: { always: { guard: ({ context }) => context.temp >= context.setpoint, target: 'idle' } },
        cooling: { always: { guard: ({ context }) => context.temp <= context.setpoint, target: 'idle' } },
      },
    },
    fan: {
      initial: 'off',
      states: {
        off: { always: { guard: stateIn({ mode: 'heating' }), target: 'running' } },
        running: { always: { guard: ({ context }) => context.fan === 'auto' && context.temp === context.setpoint, target: 'rundown' }, },
        rundown: { after: { 90_000: 'off' } },
      },
      on: { 'FAN.ON': { target: '.running', actions: assign({ fan: 'on' }) }, 'FAN.AUTO': { actions: assign({ fan: 'auto' }) } },
    },
  },
});
