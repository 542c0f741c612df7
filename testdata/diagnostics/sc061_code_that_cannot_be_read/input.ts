createMachine({ initial: 'a', states: { a: { on: { E: { target: 'b', guard: ({ event }) => event.value > 3 } } }, b: {} } })
