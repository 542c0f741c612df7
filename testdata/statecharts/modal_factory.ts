import { assign, setup } from 'xstate';

export type ModalEvents =
  | { type: 'OPEN'; payload: { title: string } }
  | { type: 'CLOSE' }
  | { type: 'TRANSITION_END' }
  | { type: 'ESC' };

export function createModalMachine({ closeOnEsc = true, duration = 200 }: { closeOnEsc?: boolean; duration?: number } = {}) {
  return setup({
    types: { context: {} as { title: string | null; closeOnEsc: boolean }, events: {} as ModalEvents },
    guards: { closesOnEsc: ({ context }) => context.closeOnEsc },
    delays: { DURATION: duration },
  }).createMachine({
    id: 'modal',
    initial: 'closed',
    context: { title: null, closeOnEsc },
    states: {
      closed: { on: { OPEN: { target: 'opening', actions: assign({ title: ({ event }) => event.payload.title }) } } },
      opening: { on: { TRANSITION_END: 'open' }, after: { DURATION: 'open' } },
      open: { on: { CLOSE: 'closing', ESC: { guard: 'closesOnEsc', target: 'closing' } } },
      closing: { on: { TRANSITION_END: 'closed', OPEN: 'opening' }, after: { DURATION: { target: 'closed', actions: assign({ title: null }) } } },
    },
  });
}
export const modalMachine = createModalMachine();
