import { assign, createMachine, emit, enqueueActions, raise, sendTo, setup, spawnChild, stopChild, log } from "xstate";

export const counterMachine = setup({
  types: {
    context: {} as { count: number; history: number[] },
    events: {} as { type: "INC"; by?: number } | { type: "DEC" } | { type: "UNDO" } | { type: "overflow" },
    emitted: {} as { type: "changed"; count: number },
  },
}).createMachine({
  id: "counter",
  context: { count: 0, history: [] },
  initial: "active",
  states: {
    active: {
      entry: [log("started"), spawnChild("ticker", { id: "tick" })],
      exit: stopChild("tick"),
      on: {
        INC: {
          actions: enqueueActions(({ context, enqueue, check }) => {
            if (context.count >= 3) {
              enqueue.raise({ type: "overflow" });
              return;
            }
            enqueue.assign({ count: context.count + 1 });
            enqueue.emit({ type: "changed", count: context.count });
          }),
        },
        DEC: {
          guard: ({ context }) => context.count > 0,
          actions: [assign({ count: ({ context }) => context.count - 1 }), emit(({ context }) => ({ type: "changed", count: context.count }))],
        },
        overflow: "full",
      },
    },
    full: { on: { DEC: { target: "active", actions: assign({ count: 2 }) } } },
  },
});
