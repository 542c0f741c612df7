import { createMachine, sendTo } from "xstate";

export const machine = createMachine({
  entry: sendTo("load", { type: "GO" }),
  initial: "a",
  states: { a: { invoke: { id: "load", src: "load" } } },
});
