createMachine({ initial: 'a', states: { a: { entry: enqueueActions(() => {}) } } })
