import { assign, setup, fromPromise, or } from 'xstate';

export const formMachine = setup({
  types: {
    context: {} as { values: { email: string; password: string }; touched: { email: boolean; password: boolean }; submitCount: number },
    events: {} as { type: 'CHANGE'; name: 'email' | 'password'; value: string } | { type: 'BLUR'; name: string } | { type: 'SUBMIT' } | { type: 'RESET' },
  },
  actors: {
    validate: fromPromise(async ({ input }: { input: { email: string } }) => input.email.includes('@')),
    save: fromPromise(async () => undefined),
  },
  actions: {
    change: assign({ values: ({ context, event }) => ({ ...context.values, [(event as any).name]: (event as any).value }) }),
    touch: assign({ touched: ({ context, event }) => ({ ...context.touched, [(event as any).name]: true }) }),
    touchAll: assign({ touched: { email: true, password: true }, submitCount: ({ context }) => context.submitCount + 1 }),
    reset: assign(() => ({ values: { email: '', password: '' }, touched: { email: false, password: false }, submitCount: 0 })),
  },
  guards: {
    emailEmpty: ({ context }) => context.values.email === '',
    passwordShort: ({ context }) => context.values.password.length < 8,
    wasTouched: ({ context }) => context.touched.email && context.touched.password,
    tooMany: ({ context }) => context.submitCount > 3,
  },
}).createMachine({
  id: 'form',
  context: { values: { email: '', password: '' }, touched: { email: false, password: false }, submitCount: 0 },
  initial: 'editing',
  states: {
    editing: {
      initial: 'pristine',
      states: { pristine: {}, dirty: {}, invalid: {} },
      on: {
        CHANGE: { target: '.dirty', actions: 'change' },
        BLUR: { actions: 'touch' },
        SUBMIT: [
          { guard: 'tooMany', target: 'blocked' },
          { guard: or(['emailEmpty', 'passwordShort']), target: '.invalid', actions: 'touchAll' },
          { target: 'validating', actions: 'touchAll' },
        ],
      },
    },
    validating: {
      invoke: {
        src: 'validate',
        input: ({ context }) => ({ email: context.values.email }),
        onDone: [{ guard: ({ event }) => event.output, target: 'saving' }, { target: 'editing.invalid' }],
        onError: 'editing.invalid',
      },
    },
    saving: { invoke: { src: 'save', onDone: 'saved', onError: 'editing' } },
    saved: { tags: ['done'], meta: { title: 'Saved' } },
    blocked: { after: { '1000': 'editing' } },
  },
  on: { RESET: { target: '.editing', actions: 'reset' } },
});
