//! The budget of a run: whether work may go on.
//!
//! A [`Budget`] travels with what is worked on: the reader hands it to the model, and all work on the model has the
//! budget. There are two ways to heed it.
//!
//! - Work that has something to show for itself asks [`Budget::is_spent`] and returns what it has.
//! - Work that is worth nothing half done (reading, lowering, making mutants and goals, printing) calls [`Budget::look`]
//!   wherever it may loop for long. If the budget is spent, `look` unwinds to the nearest [`Budget::run`], which returns
//!   [`Spent`]. So no function in between carries half-made results. This is how salsa cancels queries; it is no panic,
//!   and the panic hook does not see it.
//!
//! A look reads a flag and costs about a nanosecond. The clock is not read at a look: the program sets the flag when the
//! time is up or the user asks to stop. The memory in use is compared at every look.
//!
//! Queries of engines are also limited in steps, and in time if the user says so. A caller passes a budget with each query;
//! [`Budget::limited`] makes a smaller one for an attempt.

use std::fmt;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Whether work may go on. Clones share one budget; the default is without limit.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Set by another thread to end the work.
    cancel: Option<Arc<AtomicBool>>,
    /// The steps that an engine may take.
    steps: Option<u64>,
    /// The time for each query.
    time_per_query: Option<Duration>,
    /// The instant at which an engine stops.
    deadline: Option<Instant>,
    /// Asks the program whether it uses more memory than it may.
    out_of_memory: Option<fn() -> bool>,
    /// The looks that are left, for tests: a budget that ends at the same place every time.
    looks: Option<Arc<AtomicU64>>,
    /// The number of threads that may work; all processors if it is not given.
    jobs: Option<NonZeroUsize>,
}

/// The budget was spent before the work was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent;

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("stopped before the end")
    }
}

impl std::error::Error for Spent {}

impl Budget {
    /// A budget that is spent once the flag is set.
    pub fn until(cancel: Arc<AtomicBool>) -> Budget {
        Budget { cancel: Some(cancel), ..Budget::default() }
    }

    /// The same budget, which is also spent once this says that the memory is.
    #[must_use]
    pub fn with_memory(self, out_of_memory: fn() -> bool) -> Budget {
        Budget { out_of_memory: Some(out_of_memory), ..self }
    }

    /// The same budget with at most this number of steps of an engine. Steps are counted in units of the engine, and do not
    /// depend on the machine's speed.
    #[must_use]
    pub fn limited(&self, steps: u64) -> Budget {
        Budget { steps: Some(self.steps.map_or(steps, |most| most.min(steps))), ..self.clone() }
    }

    /// The same budget without a limit of steps.
    #[must_use]
    pub fn without_step_limit(&self) -> Budget {
        Budget { steps: None, ..self.clone() }
    }

    /// The same budget, in which each query has at most this time. Only users set it: results then depend on the machine.
    #[must_use]
    pub fn with_time_per_query(self, time: Option<Duration>) -> Budget {
        Budget { time_per_query: time, ..self }
    }

    /// The same budget, which also ends at this instant, for work that cannot look at the flag.
    #[must_use]
    pub fn with_deadline(self, deadline: Option<Instant>) -> Budget {
        Budget { deadline: self.deadline.into_iter().chain(deadline).min(), ..self }
    }

    /// The budget of a query that begins now: the time per query becomes a deadline.
    #[must_use]
    pub fn for_query(&self) -> Budget {
        let end = self.time_per_query.map(|time| Instant::now() + time);
        let deadline = self.deadline.into_iter().chain(end).min();
        Budget { deadline, time_per_query: None, ..self.clone() }
    }

    /// The same budget for at most this number of threads; as many as there are processors if it is not given. No result
    /// depends on it.
    #[must_use]
    pub fn with_jobs(self, jobs: Option<NonZeroUsize>) -> Budget {
        Budget { jobs, ..self }
    }

    /// The number of threads that may work. Looks are counted by one thread.
    pub fn jobs(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        if self.looks.is_some() { 1 } else { self.jobs.map_or_else(all, NonZeroUsize::get) }
    }

    /// The steps that an engine may take.
    pub fn steps(&self) -> Option<u64> {
        self.steps
    }

    /// The instant at which an engine stops.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The flag that another thread sets to end the work.
    pub fn cancel_flag(&self) -> Option<&Arc<AtomicBool>> {
        self.cancel.as_ref()
    }

    /// Whether the flag is set.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// A budget for this number of looks, whatever the machine.
    pub fn of_looks(looks: u64) -> Budget {
        Budget { looks: Some(Arc::new(AtomicU64::new(looks))), ..Budget::default() }
    }

    /// The looks that are left, if they are counted.
    pub fn looks_left(&self) -> Option<u64> {
        self.looks.as_ref().map(|looks| looks.load(Ordering::Relaxed))
    }

    /// Whether the work is to end. Counts as a look.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.is_cancelled()
            || self.out_of_memory.is_some_and(|is_out| is_out())
            || self.looks.as_ref().is_some_and(|looks| count_down(looks))
    }

    /// Ends the work here if the budget is spent: unwinds to the nearest [`Budget::run`].
    #[inline]
    pub fn look(&self) {
        if self.is_spent() {
            resume_unwind(Box::new(Spent));
        }
    }

    /// Does some work that may end at a [`look`](Budget::look). What the work has changed by then is as it was at that
    /// look: keep only what is whole.
    pub fn run<T>(work: impl FnOnce() -> T) -> Result<T, Spent> {
        catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast::<Spent>() {
            Ok(spent) => *spent,
            Err(panic) => resume_unwind(panic),
        })
    }
}

/// Takes one look away; true if there was none left.
#[cold]
fn count_down(looks: &AtomicU64) -> bool {
    looks.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_at_the_look_that_is_one_too_many() {
        let mut done = 0;
        let budget = Budget::of_looks(3);
        let result = Budget::run(|| {
            for _ in 0..10 {
                budget.look();
                done += 1;
            }
        });
        assert_eq!((result, done, budget.looks_left()), (Err(Spent), 3, Some(0)));
        assert!(budget.is_spent(), "a budget stays spent");
        assert_eq!(Budget::run(|| Budget::default().look()), Ok(()));
    }

    #[test]
    fn a_flag_ends_the_work_of_all_clones() {
        let flag = Arc::new(AtomicBool::new(false));
        let (budget, other) = (Budget::until(flag.clone()), Budget::until(flag.clone()).clone());
        assert!(!budget.is_spent());
        flag.store(true, Ordering::Relaxed);
        assert!(budget.is_spent() && other.is_spent());
    }

    #[test]
    fn a_smaller_budget_never_allows_more() {
        let budget = Budget::default().limited(10);
        assert_eq!((budget.limited(3).steps(), budget.limited(30).steps()), (Some(3), Some(10)));
        assert_eq!(budget.without_step_limit().steps(), None);
        assert_eq!(budget.for_query().deadline(), None, "no clock is read unless the user sets a time");
        let hour = Duration::from_hours(1);
        let query = Budget::default().with_time_per_query(Some(hour)).for_query();
        assert!(query.deadline() <= query.with_time_per_query(Some(2 * hour)).for_query().deadline());
    }

    #[test]
    #[should_panic(expected = "a bug")]
    fn a_panic_is_passed_on() {
        let _ = Budget::run(|| panic!("a bug"));
    }
}
