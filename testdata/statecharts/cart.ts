import { assign, setup } from 'xstate';

export interface Item { sku: string; qty: number }

function total(items: Item[]): number {
  return items.reduce((sum, item) => sum + item.qty, 0);
}

export const cartMachine = setup({
  types: {
    context: {} as { items: Item[]; coupon: string | null; shipping: 'standard' | 'express' },
    events: {} as
      | { type: 'ADD'; item: Item } | { type: 'REMOVE'; sku: string } | { type: 'CLEAR' }
      | { type: 'APPLY_COUPON'; code: string } | { type: 'REMOVE_COUPON' }
      | { type: 'CHOOSE_SHIPPING'; method: 'standard' | 'express' }
      | { type: 'CHECKOUT' } | { type: 'BACK' } | { type: 'PAY' } | { type: 'PAID' } | { type: 'DECLINED' },
  },
  guards: {
    isEmpty: ({ context }) => context.items.length === 0,
    isFull: ({ context }) => total(context.items) >= 10,
    validCoupon: ({ event }) => event.type === 'APPLY_COUPON' && /^SAVE\d+$/.test(event.code),
  },
  actions: {
    addItem: assign({
      items: ({ context, event }) => {
        if (event.type !== 'ADD') return context.items;
        const existing = context.items.find((item) => item.sku === event.item.sku);
        if (existing) {
          return context.items.map((item) => (item.sku === event.item.sku ? { ...item, qty: item.qty + 1 } : item));
        }
        return [...context.items, event.item];
      },
    }),
    removeItem: assign({
      items: ({ context, event }) =>
        event.type === 'REMOVE' ? context.items.filter((item) => item.sku !== event.sku) : context.items,
    }),
    clear: assign({ items: [], coupon: null }),
    setCoupon: assign({ coupon: ({ event }) => (event.type === 'APPLY_COUPON' ? event.code : null) }),
  },
}).createMachine({
  /** @xstate-layout N4Ig */
  id: 'cart',
  context: { items: [], coupon: null, shipping: 'standard' },
  initial: 'shopping',
  states: {
    shopping: {
      initial: 'empty',
      states: {
        empty: {},
        filled: {
          always: { guard: 'isEmpty', target: 'empty' },
          on: { CHECKOUT: '#cart.checkout', REMOVE: { actions: 'removeItem' }, CLEAR: { target: 'empty', actions: 'clear' } },
        },
      },
      on: { ADD: [{ guard: 'isFull' }, { target: '.filled', actions: 'addItem' }] },
    },
    checkout: {
      id: 'cart.checkout',
      initial: 'shipping',
      states: {
        shipping: {
          on: {
            CHOOSE_SHIPPING: { target: 'payment', actions: assign({ shipping: ({ event }) => event.method }) },
          },
        },
        payment: {
          on: {
            APPLY_COUPON: { guard: 'validCoupon', actions: 'setCoupon' },
            REMOVE_COUPON: { guard: ({ context }) => !!context.coupon, actions: assign({ coupon: null }) },
            PAY: 'processing',
            BACK: 'shipping',
          },
        },
        processing: { on: { PAID: 'complete', DECLINED: 'payment' } },
        complete: { type: 'final' },
      },
      on: { BACK: 'shopping' },
      onDone: 'ordered',
    },
    ordered: { type: 'final', entry: 'clear' },
  },
});
