import { assign, setup } from 'xstate';

const QUESTIONS = 3;

const quizSetup = setup({
  types: {
    context: {} as { question: number; score: number; rank: string },
    events: {} as { type: 'RIGHT' } | { type: 'WRONG' } | { type: 'NEXT' } | { type: 'AGAIN' },
  },
});

export const quiz = quizSetup.createMachine({
  id: 'quiz',
  context: { question: 1, score: 0, rank: 'none' },
  initial: 'asking',
  states: {
    asking: {
      on: {
        RIGHT: { target: 'feedback', actions: assign({ score: ({ context }) => context.score + 1 }) },
        WRONG: 'feedback',
      },
      after: { 20000: 'feedback' },
    },
    feedback: {
      on: {
        NEXT: [
          {
            guard: ({ context }) => context.question < QUESTIONS,
            target: 'asking',
            actions: assign({ question: ({ context }) => context.question + 1 }),
          },
          { target: 'result' },
        ],
      },
    },
    result: {
      entry: assign({ rank: ({ context }) => (context.score === QUESTIONS ? 'gold' : context.score >= 2 ? 'silver' : 'bronze') }),
      on: { AGAIN: { target: 'asking', actions: assign({ question: 1, score: 0, rank: 'none' }) } },
    },
  },
});
