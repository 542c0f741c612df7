//! Deterministic Mealy machines, possibly partial.

use rustc_hash::FxHashMap;

/// A deterministic machine. All of its states are reachable. States, letters and outputs are numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The ways to begin. A tester chooses one of them; most machines have one.
    pub resets: Vec<Move>,
    /// For each state and letter, the move; `None` if the letter is not permitted there.
    pub moves: Vec<Vec<Option<Move>>>,
}

/// A move of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The state that it enters.
    pub to: usize,
    /// The output.
    pub output: usize,
}

/// A test: the way to begin, and letters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word {
    /// The index of the way to begin.
    pub reset: usize,
    /// The letters.
    pub letters: Vec<usize>,
}

impl Machine {
    /// Number of states.
    pub fn n_states(&self) -> usize {
        self.moves.len()
    }

    /// Number of letters.
    pub fn n_letters(&self) -> usize {
        self.moves.first().map_or(0, Vec::len)
    }

    /// The letters that are permitted in a state, with their moves.
    pub fn moves_of(&self, state: usize) -> impl Iterator<Item = (usize, Move)> {
        self.moves[state].iter().enumerate().filter_map(|(letter, next)| Some((letter, (*next)?)))
    }

    /// The first state and letter that is not permitted there.
    pub fn first_gap(&self) -> Option<(usize, usize)> {
        let gap = |state: usize| Some((state, self.moves[state].iter().position(Option::is_none)?));
        (0..self.n_states()).find_map(gap)
    }

    /// The state after some letters; `None` if one of them is not permitted.
    pub fn after(&self, from: usize, letters: &[usize]) -> Option<usize> {
        letters.iter().try_fold(from, |state, letter| self.moves[state][*letter].map(|next| next.to))
    }

    /// The state after a word.
    pub fn end(&self, word: &Word) -> Option<usize> {
        self.after(self.resets[word.reset].to, &word.letters)
    }

    /// Whether two states differ in the outputs on some letters, which are permitted in both.
    pub fn differ(&self, mut a: usize, mut b: usize, letters: &[usize]) -> bool {
        for letter in letters {
            match (self.moves[a][*letter], self.moves[b][*letter]) {
                (Some(one), Some(other)) if one.output == other.output => (a, b) = (one.to, other.to),
                (Some(_), Some(_)) => return true,
                _ => return false,
            }
        }
        false
    }

    /// The machine with the fewest states that permits the same words with the same outputs, and its state for each state
    /// of this machine: partition refinement.
    pub fn minimized(&self) -> (Machine, Vec<usize>) {
        let mut classes = vec![0; self.n_states()];
        let mut n_classes = 1;
        loop {
            // By the class of a state and its moves to classes.
            let mut numbers: FxHashMap<(usize, Vec<Option<Move>>), usize> = FxHashMap::default();
            let refined: Vec<usize> = (0..self.n_states())
                .map(|state| {
                    let row =
                        self.moves[state].iter().map(|next| next.map(|next| Move { to: classes[next.to], ..next }));
                    let n = numbers.len();
                    *numbers.entry((classes[state], row.collect())).or_insert(n)
                })
                .collect();
            classes = refined;
            if numbers.len() == n_classes {
                break;
            }
            n_classes = numbers.len();
        }
        let quotient = |next: &Move| Move { to: classes[next.to], output: next.output };
        let mut moves = vec![Vec::new(); n_classes];
        for (state, class) in classes.iter().enumerate() {
            if moves[*class].is_empty() {
                moves[*class] = self.moves[state].iter().map(|next| next.as_ref().map(quotient)).collect();
            }
        }
        (Machine { resets: self.resets.iter().map(quotient).collect(), moves }, classes)
    }

    /// For each state, a shortest word that ends in it.
    pub fn state_cover(&self) -> Vec<Word> {
        let mut words: Vec<Option<Word>> = vec![None; self.n_states()];
        let mut queue = Vec::new();
        for (reset, first) in self.resets.iter().enumerate() {
            if words[first.to].is_none() {
                words[first.to] = Some(Word { reset, letters: Vec::new() });
                queue.push(first.to);
            }
        }
        let mut at = 0;
        while let Some(&state) = queue.get(at) {
            at += 1;
            for (letter, next) in self.moves_of(state) {
                if words[next.to].is_none() {
                    let longer = words[state].clone().map(|word| word.then(&[letter]));
                    words[next.to] = longer;
                    queue.push(next.to);
                }
            }
        }
        words.into_iter().flatten().collect()
    }
}

impl Word {
    /// The word with letters added.
    #[must_use]
    pub fn then(mut self, letters: &[usize]) -> Word {
        self.letters.extend_from_slice(letters);
        self
    }
}
