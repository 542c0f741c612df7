import { assign, createMachine, setup } from 'xstate';

type Step = 'personal' | 'address' | 'payment' | 'review';

interface FormContext {
  name: string;
  email: string;
  agreed: boolean;
  visited: Step[];
  errors: Record<string, string>;
  step: number;
}

const wizard = setup({
  types: {
    context: {} as FormContext,
    events: {} as
      | { type: 'field.change'; field: keyof FormContext; value: string }
      | { type: 'next' } | { type: 'back' } | { type: 'goto'; step: Step }
      | { type: 'agree' } | { type: 'submit' } | { type: 'save.draft' } | { type: 'save.done' },
  },
  guards: {
    isValid: ({ context }) => Object.keys(context.errors).length === 0,
    agreed: ({ context }) => context.agreed,
    to: ({ event }, params: { step: Step }) => event.type === 'goto' && event.step === params.step,
  },
  actions: {
    change: assign(({ context, event }) => {
      if (event.type !== 'field.change') return {};
      return { ...context, [event.field]: event.value };
    }),
    advance: assign({ step: ({ context }) => Math.min(context.step + 1, 3) }),
    retreat: assign({ step: ({ context }) => Math.max(context.step - 1, 0) }),
    visit: assign({
      visited: ({ context }, params: { step: Step }) =>
        context.visited.includes(params.step) ? context.visited : [...context.visited, params.step],
    }),
  },
});

export const wizardMachine = wizard.createMachine({
  id: 'wizard',
  type: 'parallel',
  context: { name: '', email: '', agreed: false, visited: [], errors: {}, step: 0 },
  states: {
    pages: {
      initial: 'personal',
      states: {
        personal: {
          entry: { type: 'visit', params: { step: 'personal' } },
          on: { next: { guard: 'isValid', target: 'address', actions: 'advance' } },
        },
        address: {
          entry: { type: 'visit', params: { step: 'address' } },
          on: { next: { guard: 'isValid', target: 'payment', actions: 'advance' }, back: { target: 'personal', actions: 'retreat' } },
        },
        payment: {
          entry: { type: 'visit', params: { step: 'payment' } },
          initial: 'card',
          states: {
            card: { on: { 'field.change': { target: 'iban', guard: ({ event }) => event.field === 'email' } } },
            iban: {},
            last: { type: 'history' },
          },
          on: { next: { guard: 'isValid', target: 'review', actions: 'advance' }, back: { target: 'address', actions: 'retreat' } },
        },
        review: {
          on: {
            agree: { actions: assign({ agreed: true }) },
            submit: [{ guard: 'agreed', target: 'submitted' }, { actions: () => alert('please agree') }],
            back: { target: 'payment.last', actions: 'retreat' },
          },
        },
        submitted: { type: 'final' },
      },
      on: {
        goto: [
          { guard: { type: 'to', params: { step: 'personal' } }, target: '.personal', actions: assign({ step: 0 }) },
          { guard: { type: 'to', params: { step: 'review' } }, target: '.review', actions: assign({ step: 3 }) },
        ],
      },
      onDone: { actions: assign({ step: 4 }) },
    },
    draft: {
      initial: 'clean',
      states: {
        clean: {},
        dirty: { on: { 'save.draft': 'saving' }, after: { 5000: 'saving' } },
        saving: { on: { 'save.done': 'clean' }, after: { 2000: { target: 'dirty' } } },
      },
      on: { 'field.change': { target: '.dirty', actions: 'change' } },
    },
  },
});
export default wizardMachine;
