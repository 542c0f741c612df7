import { createMachine, assign } from 'xstate';
// A kiosk with nested pages, an overlay and deep history.
export default createMachine({
  id: 'kiosk',
  types: {} as { context: { lang: 'en' | 'de' | 'fr'; idleWarnings: number }; events: { type: string } },
  context: { lang: 'en', idleWarnings: 0 },
  initial: 'attract',
  states: {
    attract: { on: { touch: 'session' } },
    session: {
      initial: 'menu',
      states: {
        menu: {
          initial: 'root',
          states: {
            root: { on: { food: 'food', drinks: 'drinks' } },
            food: { initial: 'list', states: { list: { on: { pick: 'detail' } }, detail: { on: { back: 'list' } } }, on: { up: 'root' } },
            drinks: { on: { up: 'root' } },
            back: { type: 'history', history: 'shallow', target: 'root' },
          },
          on: { cart: 'cart' },
        },
        cart: { on: { back: 'menu.back', pay: 'paying' } },
        paying: { type: 'parallel', states: { card: { initial: 'waiting', states: { waiting: { on: { tap: 'done' } }, done: { type: 'final' } } }, receipt: { initial: 'ask', states: { ask: { on: { yes: 'print', no: 'none' } }, print: { type: 'final' }, none: { type: 'final' } } } }, onDone: 'thanks' },
        thanks: { after: { 5000: '#kiosk.attract' } },
        resume: { type: 'history', history: 'deep' },
      },
      on: { help: 'help', 'lang.*': undefined, 'lang.de': { actions: assign({ lang: 'de' }) }, 'lang.fr': { actions: assign({ lang: 'fr' }) } },
      after: { 30000: { target: 'warning', actions: assign({ idleWarnings: ({ context }) => context.idleWarnings + 1 }) } },
    },
    warning: {
      always: { guard: ({ context }) => context.idleWarnings > 2, target: 'attract', actions: assign({ idleWarnings: 0 }) },
      on: { touch: 'session.resume' },
      after: { 10000: 'attract' },
    },
    help: { on: { close: { target: 'session.resume' }, home: '#kiosk.session' } },
  },
});
