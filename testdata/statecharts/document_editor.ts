import { assign, setup, emit, enqueueActions, fromPromise, fromCallback, type ActorRefFrom } from 'xstate';

type Doc = { id: string; title: string; dirty: boolean };
export interface EditorContext {
  doc: Doc;
  history: number;
  future: number;
  selection: { start: number; end: number } | null;
  zoom: number;
  lastSavedAt?: number;
  errorMessage: string | undefined;
}
type EditorEvent =
  | { type: 'TYPE'; text: string }
  | { type: 'UNDO' } | { type: 'REDO' }
  | { type: 'SAVE' } | { type: 'CLOSE' } | { type: 'DISCARD' } | { type: 'CANCEL' }
  | { type: 'ZOOM.IN' } | { type: 'ZOOM.OUT' } | { type: 'ZOOM.RESET' }
  | { type: 'SELECT'; start: number; end: number } | { type: 'MODE.TOGGLE' };

const ZOOM = { min: 50, max: 200, step: 50 } as const;
const MAX_HISTORY = 5;

export const editorMachine = setup({
  types: {
    context: {} as EditorContext,
    events: {} as EditorEvent,
    emitted: {} as { type: 'saved'; id: string } | { type: 'closed' },
    input: {} as { doc: Doc },
    tags: {} as 'busy' | 'editable',
  },
  actors: {
    saveDocument: fromPromise(async ({ input }: { input: { doc: Doc } }) => {
      const res = await fetch(`/docs/${input.doc.id}`, { method: 'PUT', body: JSON.stringify(input.doc) });
      if (!res.ok) throw new Error(res.statusText);
      return { savedAt: Date.now() };
    }),
    autosaveTicker: fromCallback(({ sendBack }) => {
      const t = setInterval(() => sendBack({ type: 'SAVE' }), 30000);
      return () => clearInterval(t);
    }),
  },
  guards: {
    canUndo: ({ context }) => context.history > 0,
    canRedo: ({ context: { future } }) => future > 0,
    isDirty: ({ context }) => context.doc.dirty,
    canZoom: ({ context }, params: { direction: 1 | -1 }) =>
      params.direction === 1 ? context.zoom < ZOOM.max : context.zoom > ZOOM.min,
  },
  actions: {
    recordEdit: assign(({ context }) => ({
      doc: { ...context.doc, dirty: true },
      history: Math.min(context.history + 1, MAX_HISTORY),
      future: 0,
    })),
    undo: assign({ history: ({ context }) => context.history - 1, future: ({ context }) => context.future + 1 }),
    redo: assign({ history: ({ context }) => context.history + 1, future: ({ context }) => context.future - 1 }),
    zoomBy: assign({ zoom: ({ context }, { direction }: { direction: 1 | -1 }) => context.zoom + direction * ZOOM.step }),
    markSaved: enqueueActions(({ enqueue, context, event }) => {
      enqueue.assign({ doc: { ...context.doc, dirty: false }, errorMessage: undefined, lastSavedAt: () => Date.now() });
      enqueue.emit({ type: 'saved', id: context.doc.id });
    }),
    showError: assign({ errorMessage: ({ event }) => String((event as any).error?.message ?? 'unknown') }),
  },
}).createMachine({
  /** @xstate-layout N4IgpgJg5mDOIC5QFMCGBbA */
  id: 'editor',
  description: 'A document editor with autosave',
  context: ({ input }) => ({
    doc: input.doc,
    history: 0,
    future: 0,
    selection: null,
    zoom: 100,
    errorMessage: undefined,
  }),
  type: 'parallel',
  states: {
    document: {
      initial: 'clean',
      invoke: { src: 'autosaveTicker', id: 'autosave' },
      states: {
        clean: { tags: ['editable'], on: { CLOSE: 'closed' } },
        dirty: {
          tags: 'editable',
          on: {
            SAVE: 'saving',
            CLOSE: 'confirmingClose',
          },
        },
        saving: {
          tags: ['busy', 'editable'],
          meta: { spinner: true },
          invoke: {
            src: 'saveDocument',
            input: ({ context }) => ({ doc: context.doc }),
            onDone: { target: 'clean', actions: 'markSaved' },
            onError: { target: 'dirty', actions: 'showError' },
          },
        },
        confirmingClose: {
          on: {
            DISCARD: { target: 'closed' },
            CANCEL: 'dirty',
            SAVE: { target: 'saving' },
          },
        },
        closed: { type: 'final', entry: emit({ type: 'closed' }) },
      },
      on: {
        TYPE: { guard: ({ event }) => event.text.length > 0, target: '.dirty', actions: 'recordEdit' },
        UNDO: { guard: 'canUndo', actions: 'undo', target: '.dirty' },
        REDO: { guard: 'canRedo', actions: 'redo', target: '.dirty' },
      },
    },
    view: {
      initial: 'edit',
      on: {
        'ZOOM.IN': { guard: { type: 'canZoom', params: { direction: 1 } }, actions: { type: 'zoomBy', params: { direction: 1 } } },
        'ZOOM.OUT': { guard: { type: 'canZoom', params: { direction: -1 } }, actions: { type: 'zoomBy', params: { direction: -1 } } },
        'ZOOM.*': { actions: assign({ zoom: 100 }) },
      },
      states: {
        edit: { on: { 'MODE.TOGGLE': 'preview', SELECT: { actions: assign({ selection: ({ event }) => ({ start: event.start, end: event.end }) }) } } },
        preview: { on: { 'MODE.TOGGLE': 'edit' }, entry: assign({ selection: null }) },
      },
    },
  },
});
export type EditorActor = ActorRefFrom<typeof editorMachine>;
