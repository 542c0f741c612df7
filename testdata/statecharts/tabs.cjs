const { createMachine } = require('xstate');

module.exports.tabs = createMachine({
  id: 'tabs',
  initial: 'first',
  states: {
    first: { on: { RIGHT: 'second', END: 'third' } },
    second: { on: { RIGHT: 'third', LEFT: 'first', HOME: 'first', END: 'third' } },
    third: { on: { LEFT: 'second', HOME: 'first' } },
  },
});
