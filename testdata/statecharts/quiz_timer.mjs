import { createMachine, assign, raise } from "xstate";
const QUESTIONS = ["a", "b", "c"];
const initial = { index: 0, score: 0, streak: 0, lives: 2 };
export const quizMachine = createMachine({
  id: "quiz", initial: "start", context: { ...initial },
  states: {
    start: { on: { BEGIN: "question" } },
    question: {
      after: { 10000: { target: "wrong" } },
      on: { ANSWER_RIGHT: "right", ANSWER_WRONG: "wrong", SKIP: { guard: ({ context }) => context.index < QUESTIONS.length - 1, target: "question", reenter: true, actions: assign({ index: ({ context }) => context.index + 1 }) } },
    },
    right: { entry: assign({ score: ({ context }) => context.score + (context.streak >= 2 ? 2 : 1), streak: ({ context }) => Math.min(context.streak + 1, 3) }), always: "next" },
    wrong: { entry: [assign({ lives: ({ context }) => context.lives - 1, streak: 0 })], always: [{ guard: ({ context }) => context.lives === 0, target: "over" }, { target: "next" }] },
    next: { always: [{ guard: ({ context }) => context.index + 1 === QUESTIONS.length, target: "over" }, { target: "question", actions: assign({ index: ({ context }) => context.index + 1 }) }] },
    over: { on: { AGAIN: { target: "start", actions: assign(initial) } } },
  },
});
