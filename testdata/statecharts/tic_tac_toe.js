import { createMachine, assign, raise } from 'xstate';

const EMPTY = null;
const initialContext = () => ({ board: [EMPTY, EMPTY, EMPTY, EMPTY], player: 'X', moves: 0, winner: undefined });

// Two in a row on a 2x2 board wins.
const LINES = [[0, 1], [2, 3], [0, 2], [1, 3]];

export const gameMachine = createMachine(
  {
    id: 'ttt',
    initial: 'playing',
    context: initialContext(),
    states: {
      playing: {
        always: [
          { target: 'gameOver.winner', guard: 'checkWin' },
          { target: 'gameOver.draw', guard: 'checkDraw' },
        ],
        on: { PLAY: [{ target: 'playing', actions: 'updateBoard', guard: 'isValidMove' }] },
      },
      gameOver: {
        initial: 'winner',
        states: {
          winner: { tags: 'winner', entry: 'setWinner' },
          draw: { tags: 'draw' },
        },
        on: { RESET: { target: 'playing', actions: 'resetGame' } },
      },
    },
  },
  {
    actions: {
      updateBoard: assign({
        board: ({ context, event }) => {
          const updatedBoard = [...context.board];
          updatedBoard[event.value] = context.player;
          return updatedBoard;
        },
        moves: ({ context }) => context.moves + 1,
        player: ({ context }) => (context.player === 'X' ? 'O' : 'X'),
      }),
      resetGame: assign(initialContext),
      setWinner: assign({ winner: ({ context }) => (context.player === 'X' ? 'O' : 'X') }),
    },
    guards: {
      checkWin: ({ context }) => LINES.some(([a, b]) => context.board[a] !== EMPTY && context.board[a] === context.board[b]),
      checkDraw: ({ context }) => context.moves === 4,
      isValidMove: ({ context, event }) => context.board[event.value] === EMPTY,
    },
  },
);
