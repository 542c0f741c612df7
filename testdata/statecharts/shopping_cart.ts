import { assign, setup, and, not, type SnapshotFrom } from 'xstate';

export interface Item { id: string; price: number; quantity: number }

const isEmpty = ({ context }: { context: { items: Item[] } }) => context.items.length === 0;

export const cartMachine = setup({
  types: {} as { context: { items: Item[]; coupon: string | null; total: number }; events: { type: 'ADD_ITEM'; item: Item } | { type: 'REMOVE_ITEM'; id: string } | { type: 'APPLY_COUPON'; code: string } | { type: 'CHECKOUT' } | { type: 'PAY' } | { type: 'CLEAR' } },
  guards: {
    isEmpty,
    isNotEmpty: not('isEmpty'),
    isLastItem: ({ context }) => context.items.length === 1,
    hasCoupon: ({ context }) => !!context.coupon,
    canCheckout: and(['isNotEmpty', ({ context }) => context.total >= 0]),
  },
  actions: {
    addItem: assign({
      items: ({ context, event }) => (event.type === 'ADD_ITEM' ? [...context.items, event.item] : context.items),
      total: ({ context, event }) => (event.type === 'ADD_ITEM' ? context.total + event.item.price * event.item.quantity : context.total),
    }),
    removeItem: assign({
      items: ({ context, event }) => context.items.filter((item) => event.type === 'REMOVE_ITEM' && item.id !== event.id),
    }),
    clear: assign({ items: [], total: 0, coupon: null }),
  },
}).createMachine({
  id: 'cart',
  initial: 'empty',
  context: { items: [], coupon: null, total: 0 },
  states: {
    empty: { on: { ADD_ITEM: { target: 'shopping', actions: 'addItem' } } },
    shopping: {
      always: { guard: 'isEmpty', target: 'empty' },
      on: {
        ADD_ITEM: { actions: 'addItem' },
        REMOVE_ITEM: [{ guard: 'isLastItem', target: 'empty', actions: 'clear' }, { actions: 'removeItem' }],
        APPLY_COUPON: { actions: assign({ coupon: ({ event }) => event.code }), guard: not('hasCoupon') },
        CHECKOUT: { target: 'checkout', guard: 'canCheckout' },
        CLEAR: { target: 'empty', actions: 'clear' },
      },
    },
    checkout: { on: { PAY: 'paid', CLEAR: { target: 'empty', actions: ['clear'] } } },
    paid: { type: 'final' },
  },
});
