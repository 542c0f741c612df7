import { assign, createMachine, fromPromise, raise } from 'xstate';

const createFetchStates = (id: string, next: string) => ({
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id,
        src: fromPromise(async () => id),
        onDone: { target: 'loaded', actions: markLoaded(id) },
        onError: 'failed',
      },
    },
    loaded: { type: 'final' as const },
    failed: { on: { RETRY: 'loading' } },
  },
  onDone: next,
});

function markLoaded(key: string) {
  return assign({ loaded: ({ context }: any) => (context.loaded.includes(key) ? context.loaded : [...context.loaded, key]) });
}
const atLeast = (n: number) => ({ context }: any) => context.loaded.length >= n;
const go = (target: string) => ({ target, actions: raise({ type: 'MOVED' }) });

export const dashboard = createMachine({
  id: 'dashboard',
  context: { loaded: [] as string[], moves: 0 },
  type: 'parallel',
  states: {
    data: {
      initial: 'user',
      states: {
        user: createFetchStates('user', 'posts'),
        posts: createFetchStates('posts', 'ready'),
        ready: { always: { guard: atLeast(2), target: 'complete' } },
        complete: { type: 'final' },
      },
    },
    nav: {
      initial: 'home',
      states: {
        home: { on: { GO_SETTINGS: go('settings') } },
        settings: { on: { GO_HOME: go('home') } },
      },
      on: { MOVED: { actions: assign({ moves: ({ context }) => (context.moves + 1) % 3 }) } },
    },
  },
});
