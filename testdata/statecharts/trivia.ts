import { setup, assign } from 'xstate';

export const QUESTIONS = [
  { q: 'A?', answer: 'yes' },
  { q: 'B?', answer: 'no' },
] as const satisfies readonly { q: string; answer: string }[];

const isLast = (index: number) => index >= QUESTIONS.length - 1;
const clamp = (n: number, low: number, high: number) => Math.min(Math.max(n, low), high);

export const quiz = setup({
  types: { context: {} as { index: number; score: number; lives: number }, events: {} as { type: 'ANSWER.RIGHT' } | { type: 'ANSWER.WRONG' } | { type: 'START' } | { type: 'SKIP' } },
  guards: {
    isLastQuestion: ({ context }) => isLast(context.index),
    noLives: ({ context }) => context.lives <= 0,
  },
  actions: {
    nextQuestion: assign({ index: ({ context }) => clamp(context.index + 1, 0, QUESTIONS.length - 1) }),
    addPoint: assign({ score: ({ context }) => clamp(context.score + 1, 0, 5) }),
    loseLife: assign({ lives: ({ context }) => context.lives - 1 }),
  },
}).createMachine({
  id: 'quiz',
  context: { index: 0, score: 0, lives: 3 },
  initial: 'welcome',
  states: {
    welcome: { on: { START: 'question' } },
    question: {
      always: { guard: 'noLives', target: 'lost' },
      on: {
        'ANSWER.RIGHT': [
          { guard: 'isLastQuestion', target: 'won', actions: ['addPoint'] },
          { actions: ['addPoint', 'nextQuestion'] },
        ],
        'ANSWER.WRONG': { actions: 'loseLife' },
        SKIP: { guard: ({ context }) => !isLast(context.index) && context.score > 0, actions: 'nextQuestion' },
      },
    },
    won: { type: 'final', entry: 'celebrate' },
    lost: { type: 'final' },
  },
});
