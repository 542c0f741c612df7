createMachine({ context: { n: 0 }, initial: 'a', states: { a: { on: { E: { actions: assign({ n: ({ context }) => context.n + 1 }) } } } } })
