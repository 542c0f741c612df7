//! Sets of goals, and the matrix of goals and tests, as bit sets.

/// A set of numbers below a limit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    /// The empty set of numbers below a limit.
    pub fn new(len: usize) -> Bits {
        Bits { words: vec![0; len.div_ceil(64)], len }
    }

    /// The set with these words; bits from the limit on must not be set.
    pub(crate) fn from_words(words: Vec<u64>, len: usize) -> Bits {
        debug_assert_eq!(words.len(), len.div_ceil(64), "a bit for each number below the limit");
        Bits { words, len }
    }

    /// The limit.
    pub fn limit(&self) -> usize {
        self.len
    }

    /// The words of the bit set.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Adds a number.
    pub fn insert(&mut self, index: usize) {
        assert!(index < self.len, "{index} is not below {}", self.len);
        self.words[index / 64] |= 1 << (index % 64);
    }

    /// Whether a number is a member.
    pub fn contains(&self, index: usize) -> bool {
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    /// The number of members.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, word)| {
            let next = |rest: &u64| Some(rest & (rest - 1)).filter(|rest| *rest != 0);
            let first = Some(*word).filter(|word| *word != 0);
            std::iter::successors(first, next).map(move |rest| at * 64 + rest.trailing_zeros() as usize)
        })
    }

    /// Adds all numbers of another set with the same limit.
    pub fn union_with(&mut self, other: &Bits) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    /// Removes all members of another set with the same limit.
    pub fn subtract(&mut self, other: &Bits) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
    }

    /// Keeps only the members of another set with the same limit.
    pub fn intersect(&mut self, other: &Bits) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// Whether all members are members of another set with the same limit.
    pub fn is_subset(&self, other: &Bits) -> bool {
        self.words.iter().zip(&other.words).all(|(word, other)| word & !other == 0)
    }
}

/// Which test reaches which goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    n_goals: usize,
    /// For each test, the goals that it reaches.
    tests: Vec<Bits>,
}

impl Matrix {
    /// The matrix of tests over `n_goals` goals, given the goals that each test reaches.
    pub fn new(n_goals: usize, tests: Vec<Bits>) -> Matrix {
        assert!(tests.iter().all(|goals| goals.limit() == n_goals), "all tests are graded by the same goals");
        Matrix { n_goals, tests }
    }

    /// Records that a test reaches a goal.
    pub fn insert(&mut self, test: usize, goal: usize) {
        self.tests[test].insert(goal);
    }

    /// The number of goals.
    pub fn n_goals(&self) -> usize {
        self.n_goals
    }

    /// The number of tests.
    pub fn n_tests(&self) -> usize {
        self.tests.len()
    }

    /// The goals that a test reaches.
    pub fn goals_of(&self, test: usize) -> &Bits {
        &self.tests[test]
    }

    /// Whether a test reaches a goal.
    pub fn reaches(&self, test: usize, goal: usize) -> bool {
        self.tests[test].contains(goal)
    }

    /// The tests that reach a goal.
    pub fn tests_of(&self, goal: usize) -> impl Iterator<Item = usize> + '_ {
        self.tests.iter().enumerate().filter(move |(_, goals)| goals.contains(goal)).map(|(test, _)| test)
    }

    /// The goals that some test reaches.
    pub fn reached(&self) -> Bits {
        let mut all = Bits::new(self.n_goals);
        self.tests.iter().for_each(|goals| all.union_with(goals));
        all
    }

    /// The matrix with these goals not reached by any test.
    #[must_use]
    pub fn without(&self, goals: &Bits) -> Matrix {
        let mut tests = self.tests.clone();
        for reached in &mut tests {
            reached.subtract(goals);
        }
        Matrix { n_goals: self.n_goals, tests }
    }

    /// For each test, the goals that no other test reaches.
    pub fn unique(&self) -> Vec<Bits> {
        let (mut once, mut again) = (Bits::new(self.n_goals), Bits::new(self.n_goals));
        for goals in &self.tests {
            let mut both = goals.clone();
            both.intersect(&once);
            again.union_with(&both);
            once.union_with(goals);
        }
        let only = |goals: &Bits| {
            let mut goals = goals.clone();
            goals.subtract(&again);
            goals
        };
        self.tests.iter().map(only).collect()
    }

    /// A set of tests that can be removed together without losing a goal: from the last test to the first, each whose
    /// goals the remaining tests reach. Ascending.
    pub fn redundant(&self) -> Vec<usize> {
        let mut n_reaching = vec![0u32; self.n_goals];
        for goals in &self.tests {
            goals.iter().for_each(|goal| n_reaching[goal] += 1);
        }
        let mut redundant = Vec::new();
        for (test, goals) in self.tests.iter().enumerate().rev() {
            if goals.iter().all(|goal| n_reaching[goal] > 1) {
                goals.iter().for_each(|goal| n_reaching[goal] -= 1);
                redundant.push(test);
            }
        }
        redundant.reverse();
        redundant
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(len: usize, numbers: &[usize]) -> Bits {
        let mut bits = Bits::new(len);
        for number in numbers {
            bits.insert(*number);
        }
        bits
    }

    #[test]
    fn sets_have_the_inserted_members() {
        let mut set = bits(130, &[0, 63, 64, 129]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 129]);
        assert_eq!((set.count(), set.contains(64), set.contains(65)), (4, true, false));
        set.subtract(&bits(130, &[63, 129]));
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 64]);
        assert!(set.is_subset(&bits(130, &[0, 1, 64])));
        assert!(Bits::new(0).is_empty());
    }

    #[test]
    fn redundant_tests_can_be_removed_together() {
        // The first two reach the same goals; the third reaches these and one more; the fourth reaches nothing.
        let tests = [&[0, 1][..], &[0, 1], &[0, 1, 2], &[], &[3]];
        let matrix = Matrix::new(5, tests.map(|goals| bits(5, goals)).into());
        assert_eq!(matrix.redundant(), [0, 1, 3]);
        assert_eq!(matrix.reached(), bits(5, &[0, 1, 2, 3]));
        let unique: Vec<usize> = matrix.unique().iter().map(Bits::count).collect();
        assert_eq!(unique, [0, 0, 1, 0, 1]);
        assert_eq!(matrix.tests_of(1).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
