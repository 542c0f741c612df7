import { setup } from "xstate";

// Delays with names, and ones that are no whole numbers of milliseconds.
export const blinkerMachine = setup({ delays: { SHORT: 0.5, LONG: 400, LATER: () => 2 * 250 } }).createMachine({
  id: "blinker",
  type: "parallel",
  states: {
    lamp: {
      initial: "on",
      states: {
        on: { after: { 1.5: "off", LONG: "broken" } },
        off: { after: { SHORT: "on", 2.25: "broken" } },
        broken: { on: { REPAIR: "on" } },
      },
    },
    power: {
      initial: "up",
      states: {
        up: { after: { LATER: "down" } },
        down: { on: { REPAIR: "up" } },
      },
    },
  },
});
