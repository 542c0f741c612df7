import { createMachine, assign } from 'xstate';
const openModal = (name) => assign({ stack: ({ context }) => [...context.stack, name] });
const closeTop = assign({ stack: ({ context }) => context.stack.slice(0, -1) });
export const modals = createMachine({
  id: 'modals',
  context: { stack: [] },
  initial: 'none',
  states: {
    none: { on: { OPEN_LOGIN: { target: 'open', actions: openModal('login') } } },
    open: {
      on: {
        OPEN_SIGNUP: { guard: ({ context }) => !context.stack.includes('signup') && context.stack.length < 3, actions: openModal('signup') },
        OPEN_HELP: { guard: ({ context }) => context.stack[context.stack.length - 1] !== 'help' && context.stack.length < 3, actions: openModal('help') },
        CLOSE: [
          { guard: ({ context }) => context.stack.length === 1, target: 'none', actions: closeTop },
          { actions: closeTop },
        ],
        CLOSE_ALL: { target: 'none', actions: assign({ stack: () => [] }) },
      },
    },
  },
});
