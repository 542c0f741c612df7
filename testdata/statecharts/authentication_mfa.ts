import { assign, fromPromise, fromCallback, setup } from 'xstate';

interface User {
  id: string;
  name: string;
  roles: string[];
}

interface AuthContext {
  user: User | null;
  error: string | null;
  attempts: number;
  lockedUntil: number | undefined;
}

type AuthEvent =
  | { type: 'SUBMIT'; username: string; password: string }
  | { type: 'MFA_CODE'; code: string }
  | { type: 'LOGOUT' }
  | { type: 'SESSION_EXPIRED' }
  | { type: 'RETRY' };

const MAX_ATTEMPTS = 3;

export const authMachine = setup({
  types: {
    context: {} as AuthContext,
    events: {} as AuthEvent,
    input: {} as { user?: User },
  },
  actors: {
    login: fromPromise<{ user: User; mfa: boolean }, { username: string; password: string }>(async ({ input }) => {
      const response = await fetch('/login', { method: 'POST', body: JSON.stringify(input) });
      if (!response.ok) throw new Error('Invalid credentials');
      return response.json();
    }),
    verifyMfa: fromPromise<void, { code: string }>(async ({ input }) => {
      if (input.code.length !== 6) throw new Error('bad code');
    }),
    sessionWatcher: fromCallback(({ sendBack }) => {
      const id = setInterval(() => sendBack({ type: 'SESSION_EXPIRED' }), 60_000);
      return () => clearInterval(id);
    }),
  },
  guards: {
    hasAttemptsLeft: ({ context }) => context.attempts < MAX_ATTEMPTS - 1,
    isLoggedIn: ({ context }) => context.user !== null,
    needsMfa: ({ event }) => (event as any).output?.mfa === true,
    isAdmin: ({ context }) => context.user?.roles.includes('admin') ?? false,
  },
  actions: {
    setUser: assign({ user: ({ event }) => (event as any).output.user, error: null }),
    clearUser: assign({ user: null, error: null, attempts: 0 }),
    countAttempt: assign({ attempts: ({ context }) => context.attempts + 1 }),
    setError: assign({ error: (_, params: { message: string }) => params.message }),
    redirectToLogin: () => {
      window.location.href = '/login';
    },
  },
  delays: {
    LOCK_TIME: 30_000,
    IDLE: ({ context }) => (context.user ? 600_000 : 60_000),
  },
}).createMachine({
  id: 'auth',
  context: ({ input }) => ({
    user: input.user ?? null,
    error: null,
    attempts: 0,
    lockedUntil: undefined,
  }),
  initial: 'checking',
  states: {
    checking: {
      always: [{ guard: 'isLoggedIn', target: 'authenticated' }, { target: 'unauthenticated' }],
    },
    unauthenticated: {
      tags: ['guest'],
      initial: 'idle',
      states: {
        idle: {
          on: { SUBMIT: 'submitting' },
        },
        submitting: {
          tags: ['loading'],
          invoke: {
            id: 'login',
            src: 'login',
            input: ({ event }) => {
              if (event.type !== 'SUBMIT') throw new Error('unexpected');
              return { username: event.username, password: event.password };
            },
            onDone: [
              { guard: 'needsMfa', target: 'mfa' },
              { target: '#auth.authenticated', actions: 'setUser' },
            ],
            onError: [
              {
                guard: 'hasAttemptsLeft',
                target: 'failed',
                actions: ['countAttempt', { type: 'setError', params: { message: 'Invalid credentials' } }],
              },
              { target: 'locked', actions: 'countAttempt' },
            ],
          },
        },
        mfa: {
          on: { MFA_CODE: 'verifying' },
          after: { LOCK_TIME: 'idle' },
        },
        verifying: {
          tags: 'loading',
          invoke: {
            src: 'verifyMfa',
            input: ({ event }) => ({ code: event.type === 'MFA_CODE' ? event.code : '' }),
            onDone: '#auth.authenticated',
            onError: { target: 'mfa', reenter: true },
          },
        },
        failed: { on: { RETRY: 'idle', SUBMIT: 'submitting' } },
        locked: {
          entry: [{ type: 'setError', params: { message: 'Too many attempts' } }],
          after: { LOCK_TIME: { target: 'idle', actions: assign({ attempts: 0, error: null }) } },
        },
      },
    },
    authenticated: {
      invoke: { src: 'sessionWatcher' },
      on: {
        LOGOUT: { target: 'unauthenticated', actions: 'clearUser' },
        SESSION_EXPIRED: { target: 'unauthenticated', actions: ['clearUser', 'redirectToLogin'] },
      },
      after: { IDLE: { target: 'unauthenticated', actions: 'clearUser' } },
    },
  },
});
