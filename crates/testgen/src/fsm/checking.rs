//! The W, Wp and HSI methods: suites that find every wrong implementation of a bounded size.
//!
//! Chow 1978; Fujiwara, Bochmann, Khendek, Amalou and Ghedamsi 1991; Petrenko, Yevtushenko and Bochmann 1996. The machine
//! is minimal. An implementation is a deterministic machine with the same letters that can be reset. If it has at most as
//! many states as the machine and the extra states, and behaves differently on some permitted word, a word of the suite
//! shows that.
//!
//! A machine may have several ways to begin, which is like another state whose letters these are: it needs no
//! identification, for a tester knows when the machine is there.

use super::machine::{Machine, Word};
use super::separate::Separators;
use super::trie::{TooLong, Trie};

/// A method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Every word is followed by the whole characterization set.
    W,
    /// Words that only check transitions are followed by the words that identify their last state.
    Wp,
    /// All words are followed by harmonized identifiers of their last state; letters need not be permitted everywhere.
    Hsi,
}

/// The words of a method, none the beginning of another one. The machine is minimal, and any two of its states are told
/// apart; for W and Wp, all letters are permitted everywhere.
pub fn words(
    machine: &Machine,
    separators: &Separators,
    method: Method,
    extra_states: usize,
    most_steps: usize,
) -> Result<Vec<Word>, TooLong> {
    let all = if method == Method::Hsi { Vec::new() } else { separators.characterization_set(machine) };
    let of_state = match method {
        Method::W => Vec::new(),
        Method::Wp => separators.identification_sets(machine, &all),
        Method::Hsi => separators.harmonized_identifiers(),
    };
    let mut trie = Trie::new(most_steps);
    let mut add = |word: &Word, is_longest: bool| {
        let state = machine.end(word).expect("only permitted letters are added");
        let ends = match method {
            Method::W => &all,
            Method::Wp if !is_longest => &all,
            Method::Wp | Method::Hsi => &of_state[state],
        };
        trie.add(word)?;
        ends.iter().try_for_each(|end| trie.add(&word.clone().then(end)))
    };
    // Transitions are checked from every state that an implementation can have: those of the state cover and, after them,
    // as many more as there are extra states.
    let cover = machine.state_cover();
    let others = (0..machine.resets.len()).map(|reset| Word { reset, letters: Vec::new() });
    let others: Vec<Word> = others.filter(|word| !cover.contains(word)).collect();
    for (starts, most) in [(cover, extra_states + 1), (others, extra_states)] {
        let mut level = starts;
        for length in 0..=most {
            for word in &level {
                add(word, length == most)?;
            }
            if length < most {
                level = longer(machine, &level, most_steps)?;
            }
        }
    }
    Ok(trie.words())
}

/// All words with one more letter.
fn longer(machine: &Machine, words: &[Word], most_steps: usize) -> Result<Vec<Word>, TooLong> {
    let mut longer = Vec::new();
    for word in words {
        let state = machine.end(word).expect("only permitted letters are added");
        longer.extend(machine.moves_of(state).map(|(letter, _)| word.clone().then(&[letter])));
        if longer.len() > most_steps {
            return Err(TooLong);
        }
    }
    Ok(longer)
}

/// An upper bound of the number of steps of a suite, by the numbers of states, letters and extra states.
pub(super) fn predicted_steps(machine: &Machine, separators: &Separators, method: Method, extra_states: usize) -> u128 {
    let cover: Vec<Word> = machine.state_cover();
    let ends = match method {
        Method::Hsi => separators.harmonized_identifiers().into_iter().max_by_key(Vec::len).unwrap_or_default(),
        Method::W | Method::Wp => separators.characterization_set(machine),
    };
    let (n_ends, end_steps) = (ends.len().max(1) as u128, ends.iter().map(Vec::len).sum::<usize>() as u128);
    let starts = cover.len() as u128 + machine.resets.len() as u128;
    let start_steps = cover.iter().map(|word| word.letters.len()).sum::<usize>() as u128;
    let letters = machine.n_letters() as u128;
    let length = extra_states as u128 + 1;
    let n_words = u32::try_from(length).ok().and_then(|length| letters.checked_pow(length)).unwrap_or(u128::MAX);
    let each = (start_steps + starts * length).saturating_mul(n_ends).saturating_add(starts.saturating_mul(end_steps));
    n_words.saturating_mul(each)
}
