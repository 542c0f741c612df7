import { assign, setup } from 'xstate';

export const onboarding = setup({
  types: {
    context: {} as { hasProfile: boolean; hasTeam: boolean; plan: 'free' | 'pro' | 'none' },
    events: {} as
      | { type: 'SAVE_PROFILE' }
      | { type: 'JOIN_TEAM' }
      | { type: 'SKIP' }
      | { type: 'CHOOSE_FREE' }
      | { type: 'CHOOSE_PRO' }
      | { type: 'RESTART' },
  },
}).createMachine({
  id: 'onboarding',
  context: { hasProfile: false, hasTeam: false, plan: 'none' },
  initial: 'deciding',
  states: {
    deciding: {
      always: [
        { guard: ({ context }) => !context.hasProfile, target: 'profile' },
        { guard: ({ context }) => context.plan === 'none', target: 'plan' },
        { guard: ({ context }) => context.plan === 'pro' && !context.hasTeam, target: 'team' },
        { target: 'finished' },
      ],
    },
    profile: {
      on: { SAVE_PROFILE: { target: 'deciding', actions: assign({ hasProfile: true }) } },
    },
    plan: {
      on: {
        CHOOSE_FREE: { target: 'deciding', actions: assign({ plan: 'free' }) },
        CHOOSE_PRO: { target: 'deciding', actions: assign({ plan: 'pro' }) },
      },
    },
    team: {
      on: {
        JOIN_TEAM: { target: 'deciding', actions: assign({ hasTeam: true }) },
        SKIP: { target: 'deciding', actions: assign({ plan: 'free' }) },
      },
    },
    finished: {
      on: { RESTART: { target: 'deciding', actions: assign({ plan: 'none' }) } },
    },
  },
});
