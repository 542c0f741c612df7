import { assign, createMachine, sendParent, sendTo, setup, fromTransition, fromCallback, spawnChild, stopChild, type ActorRefFrom } from 'xstate';

const todoMachine = createMachine({
  id: 'todo',
  initial: 'reading',
  states: {
    reading: { on: { EDIT: 'editing', TOGGLE: { actions: sendParent({ type: 'TODO.TOGGLED' }) } } },
    editing: { on: { SAVE: 'reading' }, after: { 5000: 'reading' } },
    deleted: { type: 'final' },
  },
});
const clock = fromTransition((state: { t: number }, event: { type: 'tick' }) => ({ t: state.t + 1 }), { t: 0 });

export const todosMachine = setup({
  types: { context: {} as { todos: ActorRefFrom<typeof todoMachine>[]; filter: 'all' | 'active' | 'completed'; ticks: number } },
  actors: { todo: todoMachine, clock, keyboard: fromCallback(() => () => {}) },
}).createMachine({
  id: 'todos',
  context: { todos: [], filter: 'all', ticks: 0 },
  invoke: [
    { src: 'clock', id: 'clock', onSnapshot: { actions: assign({ ticks: ({ context }) => Math.min(context.ticks + 1, 2) }) } },
    { src: 'keyboard', systemId: 'keyboard' },
  ],
  initial: 'loading',
  states: {
    loading: { on: { LOADED: 'ready' } },
    ready: {
      entry: spawnChild('keyboard', { id: 'shortcuts' }),
      exit: stopChild('shortcuts'),
      on: {
        'NEWTODO.ADD': { actions: assign({ todos: ({ context, spawn }) => context.todos.concat(spawn('todo')) }) },
        'NEWTODO.TICK': { actions: sendTo('clock', { type: 'tick' }) },
        'TODO.TOGGLED': {},
        'FILTER.*': { actions: assign({ filter: ({ event }) => (event.type === 'FILTER.ACTIVE' ? 'active' : 'all') }) },
        'FILTER.COMPLETED': { actions: assign({ filter: 'completed' }) },
        RELOAD: 'loading',
      },
    },
  },
});
