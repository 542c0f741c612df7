import { createMachine, assign } from "xstate";
const onCancel = { CANCEL: { target: "#wizard.cancelled" } };
const step = (next, prev) => ({ on: { NEXT: next, ...(prev ? { BACK: prev } : {}), ...onCancel } });
function makeWizard(id) {
  return createMachine({ id, initial: "one", context: { visited: 0 }, states: { one: step("two"), two: { ...step("three", "one"), entry: assign({ visited: ({ context }) => Math.min(context.visited + 1, 5) }) }, three: { ...step("done", "two") }, done: { type: "final" }, cancelled: { type: "final" } } });
}
export const wizard = makeWizard("wizard");
