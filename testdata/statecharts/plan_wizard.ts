import { and, assign, not, or, setup, stateIn, fromPromise } from 'xstate';

const steps = ['account', 'profile', 'plan', 'review'] as const;
type Step = (typeof steps)[number];

export default setup({
  types: {} as {
    context: { visited: Step[]; plan: 'free' | 'pro' | 'team' | null; seats: number; acceptedTerms: boolean; valid: Record<string, boolean> };
    events:
      | { type: 'next' } | { type: 'back' } | { type: 'goto'; step: Step } | { type: 'plan.choose'; plan: 'free' | 'pro' | 'team' }
      | { type: 'seats.inc' } | { type: 'seats.dec' } | { type: 'terms.toggle' } | { type: 'submit' } | { type: 'restart' };
    output: { plan: string };
  },
  actors: { createSubscription: fromPromise<{ id: string }, { plan: string }>(() => Promise.resolve({ id: 'x' })) },
  guards: {
    hasPlan: ({ context }) => context.plan !== null,
    isTeam: ({ context }) => context.plan === 'team',
    enoughSeats: ({ context }) => context.seats >= 2 && context.seats <= 5,
    accepted: ({ context }) => context.acceptedTerms,
    hasVisited: ({ context }, params: { step: Step }) => context.visited.includes(params.step),
  },
  actions: {
    visit: assign({
      visited: ({ context }, params: { step: Step }) =>
        context.visited.includes(params.step) ? context.visited : [...context.visited, params.step],
    }),
  },
}).createMachine({
  id: 'wizard',
  initial: 'account',
  context: { visited: [], plan: null, seats: 1, acceptedTerms: false, valid: {} },
  output: ({ context }) => ({ plan: context.plan! }),
  states: {
    account: {
      entry: { type: 'visit', params: { step: 'account' } },
      on: { next: 'profile' },
    },
    profile: {
      entry: { type: 'visit', params: { step: 'profile' } },
      on: { next: 'plan', back: 'account' },
    },
    plan: {
      entry: { type: 'visit', params: { step: 'plan' } },
      on: {
        'plan.choose': { actions: assign({ plan: ({ event }) => event.plan }) },
        'seats.inc': { guard: ({ context }) => context.seats < 6, actions: assign({ seats: ({ context }) => context.seats + 1 }) },
        'seats.dec': { guard: ({ context }) => context.seats > 1, actions: assign({ seats: ({ context }) => context.seats - 1 }) },
        next: { guard: and(['hasPlan', or([not('isTeam'), 'enoughSeats'])]), target: 'review' },
        back: 'profile',
      },
    },
    review: {
      initial: 'idle',
      entry: { type: 'visit', params: { step: 'review' } },
      on: {
        back: { guard: not(stateIn({ review: 'submitting' })), target: 'plan' },
        goto: [
          { guard: ({ context, event }) => event.step === 'account' && context.visited.includes('account'), target: 'account' },
          { guard: { type: 'hasVisited', params: { step: 'plan' } }, target: 'plan' },
        ],
      },
      states: {
        idle: {
          on: {
            'terms.toggle': { actions: assign({ acceptedTerms: ({ context }) => !context.acceptedTerms }) },
            submit: { guard: 'accepted', target: 'submitting' },
          },
        },
        submitting: {
          invoke: {
            src: 'createSubscription',
            input: ({ context }) => ({ plan: context.plan ?? 'free' }),
            onDone: '#done',
            onError: 'failed',
          },
        },
        failed: { after: { 5000: 'idle' }, on: { submit: 'submitting' } },
      },
    },
    done: { id: 'done', type: 'final' },
  },
  on: { restart: { target: '.account', actions: assign(() => ({ visited: [], plan: null, seats: 1, acceptedTerms: false })) } },
});
