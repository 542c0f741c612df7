//! Bounded temporal operators on truth vectors.

use super::truth_vectors::{BatchLayout, TruthVectors, TruthVectorsMut};

/// Owned truth vectors, for intermediate results.
struct Owned {
    yes: Vec<u64>,
    no: Vec<u64>,
}

impl Owned {
    fn new(a: TruthVectors<'_>) -> Owned {
        Owned { yes: a.yes.to_vec(), no: a.no.to_vec() }
    }

    fn get(&self) -> TruthVectors<'_> {
        TruthVectors { yes: &self.yes, no: &self.no }
    }

    fn get_mut(&mut self) -> TruthVectorsMut<'_> {
        TruthVectorsMut { yes: &mut self.yes, no: &mut self.no, from: 0 }
    }
}

/// `b` within `low` to `high` steps, and `a` (if given) until then.
pub(super) fn within(
    out: &mut TruthVectorsMut<'_>,
    layout: &BatchLayout,
    (low, high): (u64, u64),
    a: Option<TruthVectors<'_>>,
    b: TruthVectors<'_>,
) {
    let (mut now, mut later) = (Owned::new(b), Owned::new(b));
    let step = |now: &Owned, later: &mut Owned| {
        later.get_mut().next(layout, now.get());
        if let Some(a) = a {
            let next = Owned::new(later.get());
            later.get_mut().and(a, next.get());
        }
    };
    for _ in low..high {
        step(&now, &mut later);
        // `b | later` is the negation of `!b & !later`.
        let mut joined = Owned::new(later.get());
        joined.get_mut().and(b.negated(), later.get().negated());
        if !now.get_mut().assign(joined.get().negated()) {
            break;
        }
    }
    for _ in 0..low {
        step(&now, &mut later);
        if !now.get_mut().assign(later.get()) {
            break;
        }
    }
    out.assign(now.get());
}

/// Once or always within `low` to `high` steps back; false before the first state.
pub(super) fn ago(
    out: &mut TruthVectorsMut<'_>,
    layout: &BatchLayout,
    (low, high): (u64, Option<u64>),
    any: bool,
    a: TruthVectors<'_>,
) {
    let (mut now, mut before) = (Owned::new(a), Owned::new(a));
    let swapped = a.negated();
    if let Some(high) = high {
        for _ in low..high {
            before.get_mut().previous(layout, now.get());
            let mut joined = Owned::new(before.get());
            let joined = if any {
                joined.get_mut().and(swapped, before.get().negated());
                Owned::new(joined.get().negated())
            } else {
                joined.get_mut().and(a, before.get());
                joined
            };
            if !now.get_mut().assign(joined.get()) {
                break;
            }
        }
    } else {
        let mut yes = Owned::new(a);
        yes.get_mut().constant(layout);
        now.get_mut().since(layout, yes.get(), if any { a } else { swapped });
        if !any {
            now = Owned::new(now.get().negated());
        }
    }
    for _ in 0..low {
        before.get_mut().previous(layout, now.get());
        if !now.get_mut().assign(before.get()) {
            break;
        }
    }
    out.assign(now.get());
}
