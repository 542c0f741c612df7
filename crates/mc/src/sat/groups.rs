//! Literals that stand for many others: that one of them holds, or that all do.
//!
//! A clause about thousands of targets is slow: a solver that looks for a literal that is not false reads all of it, again and
//! again. So targets stand in groups of a few, these in groups, and so on. When targets are struck off, only the groups that had
//! them are made anew.

use rustc_hash::FxHashMap;
use specwright_sat::{Lit, Solver};

/// Literals of one group.
const GROUP: usize = 8;

/// The groups of a solver so far.
#[derive(Default)]
pub(super) struct Groups {
    known: FxHashMap<(Kind, Vec<Lit>), Lit>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Any,
    All,
}

impl Groups {
    /// A literal from which it follows that one of some literals holds; none if there are none. Places that are empty keep the
    /// groups of the others as they were.
    pub(super) fn any(&mut self, places: &[Option<Lit>], solver: &mut impl Solver) -> Option<Lit> {
        self.join(Kind::Any, places.to_vec(), solver)
    }

    /// A literal from which it follows that all of some literals hold; none if there are none.
    pub(super) fn all(&mut self, places: &[Option<Lit>], solver: &mut impl Solver) -> Option<Lit> {
        self.join(Kind::All, places.to_vec(), solver)
    }

    fn join(&mut self, kind: Kind, mut places: Vec<Option<Lit>>, solver: &mut impl Solver) -> Option<Lit> {
        while places.len() > 1 {
            let groups = places.chunks(GROUP).map(|group| {
                let group: Vec<Lit> = group.iter().copied().flatten().collect();
                match group[..] {
                    [] => None,
                    [only] => Some(only),
                    _ => Some(self.group(kind, group, solver)),
                }
            });
            places = groups.collect();
        }
        places.pop().flatten()
    }

    fn group(&mut self, kind: Kind, group: Vec<Lit>, solver: &mut impl Solver) -> Lit {
        *self.known.entry((kind, group)).or_insert_with_key(|(_, group)| {
            let joined = solver.new_var(false);
            match kind {
                Kind::Any => solver.add_clause(&[&[!joined], &group[..]].concat()),
                Kind::All => group.iter().for_each(|lit| solver.add_clause(&[!joined, *lit])),
            }
            joined
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Groups;
    use specwright_sat::{Batsat, Lit, Outcome, Solver};

    /// Whatever is struck off, what is asked for is one of the rest, and all of the rest.
    #[test]
    fn groups_stand_for_what_is_left() {
        for n in [0, 1, 2, 8, 9, 64, 65, 100] {
            let (mut solver, mut groups) = (Batsat::default(), Groups::default());
            let lits: Vec<Lit> = (0..n).map(|_| solver.new_var(false)).collect();
            let mut places: Vec<Option<Lit>> = lits.iter().copied().map(Some).collect();
            for struck in (0..n).map(|place| place * 7 % n) {
                let (any, all) = (groups.any(&places, &mut solver), groups.all(&places, &mut solver));
                let (any, all) = (any.expect("some are left"), all.expect("some are left"));
                assert_eq!(solver.solve(&[any]), Outcome::Sat);
                assert!(places.iter().flatten().any(|lit| solver.value(*lit)));
                let none: Vec<Lit> = places.iter().flatten().map(|lit| !*lit).collect();
                assert_eq!(solver.solve(&[&[any], &none[..]].concat()), Outcome::Unsat);
                assert_eq!(solver.solve(&[all]), Outcome::Sat);
                assert!(places.iter().flatten().all(|lit| solver.value(*lit)));
                places[struck] = None;
            }
            if n == 0 {
                assert_eq!(groups.any(&places, &mut solver), None);
            }
        }
    }
}
