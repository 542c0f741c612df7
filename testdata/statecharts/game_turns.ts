import { assign, setup } from 'xstate';

export const game = setup({
  types: {
    context: {} as { player: 'x' | 'o'; moves: number; xWins: number; oWins: number },
    events: {} as { type: 'MOVE' } | { type: 'WIN' } | { type: 'AGAIN' } | { type: 'RESIGN' },
  },
  guards: { boardIsFull: ({ context }) => context.moves >= 9 },
}).createMachine({
  id: 'game',
  context: { player: 'x', moves: 0, xWins: 0, oWins: 0 },
  initial: 'playing',
  states: {
    playing: {
      always: { guard: 'boardIsFull', target: 'over.draw' },
      on: {
        MOVE: {
          target: 'playing',
          actions: assign({
            player: ({ context }) => (context.player === 'x' ? 'o' : 'x'),
            moves: ({ context }) => context.moves + 1,
          }),
        },
        WIN: [
          { guard: ({ context }) => context.player === 'x', target: 'over.x' },
          { target: 'over.o' },
        ],
        RESIGN: [
          { guard: ({ context }) => context.player === 'o', target: 'over.x' },
          { target: 'over.o' },
        ],
      },
    },
    over: {
      initial: 'draw',
      states: {
        draw: {},
        x: { entry: assign({ xWins: ({ context }) => Math.min(context.xWins + 1, 2) }) },
        o: { entry: assign({ oWins: ({ context }) => Math.min(context.oWins + 1, 2) }) },
      },
      on: { AGAIN: { target: 'playing', actions: assign({ player: 'x', moves: 0 }) } },
    },
  },
});
