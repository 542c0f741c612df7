//! Clauses in one piece of memory.

use crate::solver::Lit;

/// The place of a clause: that of its header.
pub(super) type ClauseRef = u32;

/// Two words before the literals: how many there are; and the glue of a learnt clause, or one of these.
const HEADER: usize = 2;
const ORIGINAL: u32 = u32::MAX;
const DELETED: u32 = u32::MAX - 1;

/// All clauses, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    words: Vec<u32>,
    /// Words of clauses that are deleted.
    wasted: usize,
}

impl Arena {
    /// Adds a clause. A learnt one has its glue: the number of decision levels in it.
    pub(super) fn add(&mut self, lits: &[Lit], glue: Option<u32>) -> ClauseRef {
        let place = u32::try_from(self.words.len()).expect("clauses take less than 16 gigabytes");
        self.words.extend([lits.len() as u32, glue.unwrap_or(ORIGINAL)]);
        self.words.extend(lits.iter().map(|lit| lit.code()));
        place
    }

    pub(super) fn len(&self, clause: ClauseRef) -> usize {
        self.words[clause as usize] as usize
    }

    pub(super) fn lit(&self, clause: ClauseRef, place: usize) -> Lit {
        Lit::from_code(self.words[clause as usize + HEADER + place])
    }

    pub(super) fn swap(&mut self, clause: ClauseRef, a: usize, b: usize) {
        let first = clause as usize + HEADER;
        self.words.swap(first + a, first + b);
    }

    pub(super) fn lits(&self, clause: ClauseRef) -> impl Iterator<Item = Lit> + '_ {
        let first = clause as usize + HEADER;
        self.words[first..first + self.len(clause)].iter().map(|code| Lit::from_code(*code))
    }

    pub(super) fn glue(&self, clause: ClauseRef) -> Option<u32> {
        Some(self.words[clause as usize + 1]).filter(|glue| *glue < DELETED)
    }

    pub(super) fn is_deleted(&self, clause: ClauseRef) -> bool {
        self.words[clause as usize + 1] == DELETED
    }

    pub(super) fn delete(&mut self, clause: ClauseRef) {
        if !self.is_deleted(clause) {
            self.words[clause as usize + 1] = DELETED;
            self.wasted += HEADER + self.len(clause);
        }
    }

    /// Whether much room could be won.
    pub(super) fn is_wasteful(&self) -> bool {
        self.wasted > 1000 && 2 * self.wasted > self.words.len()
    }

    /// The clauses that are not deleted.
    pub(super) fn iter(&self) -> impl Iterator<Item = ClauseRef> + '_ {
        let mut place = 0;
        std::iter::from_fn(move || {
            while place < self.words.len() {
                let clause = place as u32;
                place += HEADER + self.len(clause);
                if !self.is_deleted(clause) {
                    return Some(clause);
                }
            }
            None
        })
    }
}
