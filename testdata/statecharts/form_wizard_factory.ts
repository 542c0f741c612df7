import { createMachine } from 'xstate';
export function createWizardMachine(pages: number) {
  return createMachine({
    id: 'wizard', initial: 'p1',
    context: { pages, dirty: false },
    states: {
      p1: { on: { NEXT: 'p2' } },
      p2: { on: { NEXT: [{ guard: ({ context }) => context.pages > 2, target: 'p3' }, 'end'], BACK: 'p1' } },
      p3: { on: { NEXT: 'end', BACK: 'p2' } },
      end: { type: 'final' },
    },
  });
}
