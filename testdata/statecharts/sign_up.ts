import { assign, setup } from 'xstate';

export enum Step { Account = 'account', Profile = 'profile', Review = 'review' }

const steps = ['account', 'profile', 'review'] as const;

export const wizardMachine = setup({
  types: {
    context: {} as { step: number; email: string; name: string; errors: string[]; accepted: boolean },
    events: {} as
      | { type: 'NEXT' } | { type: 'BACK' }
      | { type: 'CHANGE'; field: 'email' | 'name'; value: string }
      | { type: 'TOGGLE_TERMS' } | { type: 'SUBMIT' } | { type: 'RESET' },
  },
  guards: {
    emailIsValid: ({ context }) => /^.+@.+$/.test(context.email),
    nameIsFilled: ({ context: { name } }) => name.trim().length > 0,
    accepted: ({ context }) => context.accepted,
    isEmail: ({ event }) => event.type === 'CHANGE' && event.field === 'email',
  },
  actions: {
    setEmail: assign({ email: ({ event, context }) => (event.type === 'CHANGE' ? event.value : context.email) }),
    setName: assign(({ context, event }) => ({ ...context, name: event.type === 'CHANGE' ? event.value : context.name })),
    forward: assign({ step: ({ context }) => Math.min(context.step + 1, steps.length - 1) }),
    backward: assign({ step: ({ context: { step } }) => step - 1 }),
    toggle: assign({ accepted: ({ context }) => !context.accepted }),
    reset: assign({ step: 0, email: '', name: '', errors: [], accepted: false }),
  },
}).createMachine({
  id: 'wizard',
  context: { step: 0, email: '', name: '', errors: [], accepted: false },
  initial: Step.Account,
  on: {
    CHANGE: [{ guard: 'isEmail', actions: 'setEmail' }, { actions: 'setName' }],
    RESET: { target: `.${Step.Account}`, actions: 'reset' },
  },
  states: {
    [Step.Account]: {
      on: { NEXT: { guard: 'emailIsValid', target: Step.Profile, actions: 'forward' } },
    },
    [Step.Profile]: {
      on: {
        NEXT: { guard: 'nameIsFilled', target: Step.Review, actions: 'forward' },
        BACK: { target: Step.Account, actions: 'backward' },
      },
    },
    [Step.Review]: {
      on: {
        TOGGLE_TERMS: { actions: 'toggle' },
        BACK: { target: Step.Profile, actions: 'backward' },
        SUBMIT: { guard: 'accepted', target: 'done' },
      },
    },
    done: { type: 'final' },
  },
});
