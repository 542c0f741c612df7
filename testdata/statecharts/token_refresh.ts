import { setup, assign, fromPromise } from 'xstate';

interface Tokens { access: string; refresh: string; expiresIn: number }
type AuthContext = { user: string | null; tokens: Tokens | null; error?: string; attempts: number };
type AuthEvent =
  | { type: 'LOGIN'; username: string; password: string }
  | { type: 'LOGOUT' }
  | { type: 'TOKEN_EXPIRED' };

const MAX_ATTEMPTS = 3;

export const authMachine = setup({
  types: {
    context: {} as AuthContext,
    events: {} as AuthEvent,
  },
  actors: {
    login: fromPromise(async ({ input }: { input: { username: string; password: string } }) => {
      const res = await fetch('/login', { method: 'POST', body: JSON.stringify(input) });
      if (!res.ok) throw new Error('bad credentials');
      return (await res.json()) as { user: string; tokens: Tokens };
    }),
    refresh: fromPromise(async ({ input }: { input: { token: string } }) => {
      return { access: 'a', refresh: input.token, expiresIn: 10 } satisfies Tokens;
    }),
  },
  guards: {
    hasAttemptsLeft: ({ context }) => context.attempts < MAX_ATTEMPTS,
    hasRefreshToken: ({ context }) => context.tokens?.refresh !== undefined,
  },
  actions: {
    clearSession: assign({ user: null, tokens: null }),
    countAttempt: assign({ attempts: ({ context }) => context.attempts + 1 }),
    resetAttempts: assign({ attempts: 0 }),
    notifyLocked: () => console.warn('locked'),
  },
  delays: {
    refreshInterval: ({ context }) => (context.tokens ? context.tokens.expiresIn * 1000 : 1000),
    lockTimeout: 30_000,
  },
}).createMachine({
  id: 'auth',
  initial: 'signedOut',
  context: { user: null, tokens: null, attempts: 0 },
  states: {
    signedOut: {
      entry: 'clearSession',
      on: { LOGIN: { target: 'signingIn' } },
    },
    signingIn: {
      invoke: {
        id: 'login',
        src: 'login',
        input: ({ event }) => {
          if (event.type !== 'LOGIN') throw new Error('unexpected');
          return { username: event.username, password: event.password };
        },
        onDone: {
          target: 'signedIn',
          actions: [
            assign({
              user: ({ event }) => event.output.user,
              tokens: ({ event }) => event.output.tokens,
            }),
            'resetAttempts',
          ],
        },
        onError: [
          {
            guard: 'hasAttemptsLeft',
            target: 'signedOut',
            actions: ['countAttempt', assign({ error: ({ event }) => String(event.error) })],
          },
          { target: 'locked', actions: 'notifyLocked' },
        ],
      },
    },
    signedIn: {
      initial: 'idle',
      states: {
        idle: {
          after: { refreshInterval: 'refreshing' },
          on: { TOKEN_EXPIRED: 'refreshing' },
        },
        refreshing: {
          invoke: {
            src: 'refresh',
            input: ({ context }) => ({ token: context.tokens!.refresh }),
            onDone: {
              target: 'idle',
              actions: assign({ tokens: ({ event }) => event.output }),
            },
            onError: { target: '#auth.signedOut' },
          },
        },
      },
      on: { LOGOUT: 'signedOut' },
    },
    locked: {
      after: { lockTimeout: { target: 'signedOut', actions: 'resetAttempts' } },
    },
  },
});
