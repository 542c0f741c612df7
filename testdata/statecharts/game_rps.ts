import { assign, setup, and } from 'xstate';
const ROUNDS = 3;
type Move = 'rock' | 'paper' | 'scissors';
const beats: Record<Move, Move> = { rock: 'scissors', paper: 'rock', scissors: 'paper' };
function winner(a: Move | null, b: Move | null): 'a' | 'b' | 'draw' {
  if (a === null || b === null) return 'draw';
  if (a === b) return 'draw';
  return beats[a] === b ? 'a' : 'b';
}
export const game = setup({
  types: { context: {} as { a: Move | null; b: Move | null; scoreA: number; scoreB: number; round: number } },
  guards: {
    bothChose: ({ context }) => Boolean(context.a && context.b),
    aWins: ({ context }) => winner(context.a, context.b) === 'a',
    bWins: ({ context }) => winner(context.a, context.b) === 'b',
    gameOver: ({ context }) => context.scoreA === ROUNDS || context.scoreB === ROUNDS,
    draw: and([({ context }) => context.a === context.b, 'bothChose']),
  },
}).createMachine({
  context: { a: null, b: null, scoreA: 0, scoreB: 0, round: 1 },
  initial: 'choosing',
  states: {
    choosing: {
      on: {
        'A.ROCK': { actions: assign({ a: 'rock' }) },
        'A.PAPER': { actions: assign({ a: 'paper' }) },
        'B.ROCK': { actions: assign({ b: 'rock' }) },
        'B.SCISSORS': { actions: assign({ b: 'scissors' }) },
      },
      always: { guard: 'bothChose', target: 'revealing' },
      after: { 10000: { target: 'choosing', reenter: true, actions: assign({ a: null, b: null }) } },
    },
    revealing: {
      after: {
        1000: [
          { guard: 'draw', target: 'next' },
          { guard: 'aWins', target: 'next', actions: assign({ scoreA: ({ context }) => context.scoreA + 1 }) },
          { guard: 'bWins', target: 'next', actions: assign({ scoreB: ({ context }) => context.scoreB + 1 }) },
        ],
      },
    },
    next: {
      always: [
        { guard: 'gameOver', target: 'over' },
        { target: 'choosing', actions: assign({ a: null, b: null, round: ({ context }) => context.round + 1 }) },
      ],
    },
    over: { type: 'final', output: ({ context }) => ({ winner: context.scoreA > context.scoreB ? 'a' : 'b' }) },
  },
});
