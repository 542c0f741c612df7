// A traffic light with a pedestrian light, as in the docs.
const { createMachine, assign } = require('xstate');

const pedestrianStates = {
  initial: 'walk',
  states: {
    walk: { on: { PED_COUNTDOWN: 'wait' } },
    wait: { on: { PED_COUNTDOWN: 'stop' } },
    stop: {},
    blinking: {},
  },
};

const lightMachine = createMachine({
  id: 'light',
  initial: 'green',
  context: { cycles: 0 },
  states: {
    green: { on: { TIMER: 'yellow' }, after: { 3000: 'yellow' } },
    yellow: { on: { TIMER: 'red' }, after: { 1000: 'red' } },
    red: { on: { TIMER: 'green' }, exit: assign({ cycles: ({ context }) => (context.cycles + 1) % 3 }), ...pedestrianStates },
  },
  on: { POWER_OUTAGE: '.red.blinking', POWER_RESTORED: { target: '.red', reenter: true } },
});

module.exports = { lightMachine };
