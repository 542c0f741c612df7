import { createMachine, stateIn } from 'xstate';

export default createMachine({
  id: 'drag',
  type: 'parallel',
  states: {
    pointer: {
      initial: 'up',
      states: {
        up: { on: { POINTER_DOWN: 'down' } },
        down: {
          initial: 'pressed',
          states: {
            pressed: { on: { POINTER_MOVE: 'dragging' } },
            dragging: { on: { POINTER_MOVE: undefined } },
          },
          on: { POINTER_UP: 'up', ESCAPE: 'up' },
        },
      },
    },
    target: {
      initial: 'outside',
      states: {
        outside: { on: { ENTER: 'inside' } },
        inside: { on: { LEAVE: 'outside' } },
      },
    },
    item: {
      initial: 'home',
      states: {
        home: { on: { POINTER_MOVE: { guard: stateIn({ pointer: 'down' }), target: 'floating' } } },
        floating: {
          on: {
            POINTER_UP: [{ guard: stateIn({ target: 'inside' }), target: 'dropped' }, { target: 'home' }],
            ESCAPE: 'home',
          },
        },
        dropped: { on: { UNDO: 'home' } },
      },
    },
  },
});
