import { createMachine, sendTo, raise, stateIn } from 'xstate';

const pedestrianStates = {
  initial: 'walk',
  states: {
    walk: { after: { 3000: 'wait' } },
    wait: { after: { 1500: 'stop' } },
    stop: { type: 'final' },
  },
} as const;

export const crossing = createMachine({
  id: 'crossing',
  initial: 'green',
  states: {
    green: { on: { BUTTON: 'yellow' }, after: { GREEN_TIME: 'yellow' } },
    yellow: { after: { 2000: 'red' } },
    red: {
      ...pedestrianStates,
      onDone: { target: 'green' },
      on: { EMERGENCY: '#crossing.blinking' },
    },
    blinking: {
      initial: 'on',
      states: { on: { after: { 500: 'off' } }, off: { after: { 500: 'on' } } },
      on: { RESTORE: 'green' },
    },
  },
  on: { EMERGENCY: '.blinking' },
}, { delays: { GREEN_TIME: 10000 } });
export default crossing;
