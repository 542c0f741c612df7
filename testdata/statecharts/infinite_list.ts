import { assign, fromPromise, setup } from 'xstate';

interface Page<T> { items: T[]; nextCursor: string | null }

const fetchPage = fromPromise<Page<string>, { cursor: string | null }>(async ({ input }) => ({ items: [input.cursor ?? ''], nextCursor: null }));

export const listMachine = setup({
  types: { context: {} as { items: string[]; cursor: string | null; page: number; hasMore: boolean; error: unknown }, events: {} as { type: 'SCROLL_END' } | { type: 'REFRESH' } | { type: 'RETRY' } },
  actors: { fetchPage },
  guards: { hasMore: ({ context }) => context.hasMore, isFirstPage: ({ context }) => context.page === 0 },
}).createMachine({
  id: 'list',
  context: () => ({ items: [], cursor: null, page: 0, hasMore: true, error: null }),
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        src: 'fetchPage',
        input: ({ context }) => ({ cursor: context.cursor }),
        onDone: {
          target: 'idle',
          actions: assign(({ context, event }) => ({
            items: [...context.items, ...event.output.items],
            cursor: event.output.nextCursor,
            hasMore: event.output.nextCursor !== null,
            page: context.page + 1,
          })),
        },
        onError: { target: 'failed', actions: assign({ error: ({ event }) => event.error }) },
      },
    },
    idle: {
      always: { guard: not_more, target: 'complete' },
      on: { SCROLL_END: { guard: 'hasMore', target: 'loading' }, REFRESH: { target: 'loading', actions: assign({ items: [], cursor: null, page: 0, hasMore: true }) } },
    },
    failed: { on: { RETRY: 'loading' } },
    complete: { on: { REFRESH: { target: 'loading', actions: assign({ items: () => [], cursor: null, page: 0, hasMore: true }) } } },
  },
});

function not_more({ context }: { context: { hasMore: boolean } }) {
  return !context.hasMore;
}
