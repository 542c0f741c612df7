import { createMachine, assign } from 'xstate';
function reduce(context, event) {
  switch (event.type) {
    case 'OPEN':
      if (context.count >= 3) return context;
      return { ...context, count: context.count + 1, active: context.count };
    case 'CLOSE': {
      const count = Math.max(0, context.count - 1);
      return { ...context, count, active: Math.min(context.active, Math.max(count - 1, 0)) };
    }
    case 'NEXT':
      return { ...context, active: context.count ? (context.active + 1) % context.count : 0 };
    default:
      return context;
  }
}
const update = assign(({ context, event }) => reduce(context, event));
export const tabs = createMachine({
  context: { count: 0, active: 0 },
  initial: 'empty',
  on: { OPEN: { actions: update, target: '.some' } },
  states: {
    empty: {},
    some: {
      always: { guard: ({ context: { count } }) => count === 0, target: 'empty' },
      on: { CLOSE: { actions: [update] }, NEXT: { guard: ({ context }) => context.count > 1, actions: update } },
    },
  },
});
