// A traffic light whose states come from a helper with defaults.
const { createMachine, assign } = require('xstate');

const pedestrian = {
  initial: 'walk',
  states: {
    walk: { on: { PED_COUNTDOWN: 'wait' } },
    wait: { on: { PED_COUNTDOWN: 'stop' } },
    stop: { type: 'final' },
  },
};

const light = (next, time, extra = {}) => ({ after: { [time]: next }, ...extra });

module.exports.trafficMachine = createMachine({
  id: 'light',
  initial: 'green',
  context: { cars: 0 },
  states: {
    green: light('yellow', 4000, { on: { CAR: { actions: assign({ cars: ({ context }) => Math.min(context.cars + 1, 3) }) } } }),
    yellow: light('red', 1000),
    red: { ...pedestrian, onDone: { target: 'green', actions: assign({ cars: 0 }) }, after: { 10000: { target: 'green', guard: ({ context }) => context.cars === 3 } } },
    blinking: {},
  },
  on: { POWER_OUTAGE: '.blinking', POWER_RESTORED: { target: '.red', reenter: true } },
});
