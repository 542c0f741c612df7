import { and, createMachine, not, or, stateIn } from "xstate";

export const carMachine = createMachine({
  id: "car",
  type: "parallel",
  states: {
    engine: { initial: "off", states: { off: { on: { START: { target: "running", guard: and([stateIn("#park"), not(stateIn({ doors: "open" }))]) } } }, running: { on: { STOP: "off" } } } },
    gear: { initial: "park", states: { park: { id: "park", on: { SHIFT: { target: "drive", guard: stateIn("#car.engine.running") } } }, drive: { on: { SHIFT: "park" } } } },
    doors: { initial: "closed", states: { closed: { on: { OPEN: { target: "open", guard: or([stateIn({ gear: "park" }), not(stateIn({ engine: "running" }))]) } } }, open: { on: { CLOSE: "closed" } } } },
  },
});
