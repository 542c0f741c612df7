import { createMachine, assign, enqueueActions, and, or, not } from 'xstate';
const limits = { todo: 3, doing: 2, done: 3 } as const;
type Column = keyof typeof limits;
const move = (from: Column, to: Column) =>
  assign({ [from]: ({ context }: any) => context[from] - 1, [to]: ({ context }: any) => context[to] + 1 } as any);
const hasRoom = (column: Column) => ({ context }: any) => context[column] < limits[column];
const hasCard = (column: Column) => ({ context }: any) => context[column] > 0;
export default createMachine({
  id: 'kanban',
  context: { todo: 1, doing: 0, done: 0, locked: false },
  initial: 'open',
  states: {
    open: {
      on: {
        ADD: { guard: hasRoom('todo'), actions: assign({ todo: ({ context }) => context.todo + 1 }) },
        START: { guard: and([hasCard('todo'), hasRoom('doing')]), actions: move('todo', 'doing') },
        FINISH: { guard: and([hasCard('doing'), hasRoom('done')]), actions: move('doing', 'done') },
        REOPEN: { guard: and([hasCard('done'), not(({ context }) => context.todo >= limits.todo)]), actions: move('done', 'todo') },
        ARCHIVE: { actions: enqueueActions(({ context, enqueue }) => {
          const { done } = context;
          if (done === 0) return;
          enqueue.assign({ done: 0 });
          done > 2 && enqueue.raise({ type: 'LOCK' } as any);
        }) },
        LOCK: 'locked',
      },
    },
    locked: { entry: assign({ locked: true }), exit: assign({ locked: false }), on: { UNLOCK: { target: 'open', guard: or([hasCard('todo'), hasCard('doing'), ({ context }) => context.done === 0]) } } },
  },
});
