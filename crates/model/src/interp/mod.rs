//! Explicit semantics of models, expressions and formulas.
//!
//! It is the oracle for everything else: the traces of the engine are replayed here, and the verdicts of the engine are
//! tested against the explicit graphs of small models. Clarity comes before speed.
//!
//! Reading order: values of expressions ([`eval()`]), initial states and steps of a model ([`Explorer`]), whether a
//! trace is an execution ([`check_trace`]), the graph of a small model ([`Graph`]), properties on that graph
//! ([`check_property`]), and properties on a single trace ([`kills`]).

mod cases;
mod check;
mod ctl;
mod demand;
mod error;
mod eval;
mod fair;
mod graph;
#[cfg(test)]
mod laws;
mod ltl;
mod narrow;
mod ops;
mod path;
mod plan;
mod random;
mod replay;
mod search;
mod support;
#[cfg(test)]
mod tests;
mod value_set;

pub use cases::Cases;
pub use check::{CheckError, Length, Verdict, check_property, failing_invariant};
pub use ctl::{Ctl, StateSet};
pub(crate) use demand::is_partial;
pub use demand::{Demand, is_exhaustive};
pub use error::{EvalError, EvalReason};
pub(crate) use eval::grow;
pub use eval::{Bound, Evaluator, eval, eval_bool, eval_set};
pub use graph::{Edge, Graph, Limits};
pub use ltl::ltl_counterexample;
pub use ops::apply;
pub(crate) use ops::binary as binary_op;
pub use path::{Path, Truth, Values, kills};
pub use plan::Origin;
pub use random::Random;
pub use replay::{Replayer, TraceError, TraceFault, check_initial, check_state, check_step, check_trace, unfair};
pub use search::{Explorer, Search, SearchError, Step, initial_states, steps_from};
pub(crate) use support::is_temporal;
pub use support::{Support, support, support_of};
pub use value_set::ValueSet;
