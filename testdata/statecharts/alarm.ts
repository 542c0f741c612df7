import { raise, setup } from 'xstate';

export const alarm = setup({
  types: {
    events: {} as
      | { type: 'ARM' }
      | { type: 'DISARM' }
      | { type: 'MOTION' }
      | { type: 'TRIGGER' }
      | { type: 'SIREN_OFF' },
  },
  guards: { codeMatches: () => true },
}).createMachine({
  id: 'alarm',
  type: 'parallel',
  states: {
    sensor: {
      initial: 'disarmed',
      states: {
        disarmed: { on: { ARM: 'arming' } },
        arming: { after: { 30_000: 'armed' }, on: { DISARM: 'disarmed' } },
        armed: {
          on: {
            MOTION: { target: 'tripped', actions: raise({ type: 'TRIGGER' }) },
            DISARM: { guard: 'codeMatches', target: 'disarmed', actions: raise({ type: 'SIREN_OFF' }) },
          },
        },
        tripped: {
          on: { DISARM: { guard: 'codeMatches', target: 'disarmed', actions: raise({ type: 'SIREN_OFF' }) } },
        },
      },
    },
    siren: {
      initial: 'quiet',
      states: {
        quiet: { on: { TRIGGER: 'warning' } },
        warning: { after: { 10_000: 'loud' }, on: { SIREN_OFF: 'quiet' } },
        loud: { after: { 120_000: 'quiet' }, on: { SIREN_OFF: 'quiet' } },
      },
    },
  },
});
