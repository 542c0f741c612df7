//! Model checking: engines that answer queries about a model.
//!
//! [`Search`] is the seam: it answers a batch of [`Query`]s, each with an [`Answer`]. [`Symbolic`] implements it with decision
//! diagrams: it encodes a model once, and queries share what earlier ones have computed. [`Explicit`] enumerates states.
//! [`Portfolio`] chooses between the whole model and cones of influence. Every trace that leaves this crate was replayed by
//! the interpreter of `specwright-model`.
//!
//! ```
//! use specwright_mc::{Answer, Budget, Options, Query, Search, Symbolic};
//! use specwright_model::lower::smv::{Options as Lowering, lower};
//! use specwright_syntax::{smv, span::SourceMap};
//!
//! let mut sources = SourceMap::default();
//! sources.add("light.smv", "MODULE main VAR on : boolean; ASSIGN init(on) := FALSE; next(on) := !on; SPEC AG !on").unwrap();
//! let (file, _) = smv::parse(&sources.files()[0], Default::default());
//! let model = lower(&file, &Lowering::default()).0.unwrap();
//! let claim = model.properties[0].formula.expr;
//! let mut engine = Symbolic::new(model.system, &Options::default()).unwrap();
//! let Answer::Found(trace) = engine.answer(Query::Falsify(claim), &Budget::default()) else { panic!("the light goes on") };
//! assert_eq!(trace.states.len(), 2);
//! ```

mod answer;
mod answer_each;
mod conform;
mod definedness;
mod encode;
mod engine;
mod explicit;
mod ltl;
mod policy;
mod portfolio;
mod query;
pub mod reduction;
mod sat;
mod search;
mod symbolic;
mod totality;

pub use specwright_bdd as bdd;
pub use specwright_syntax::budget::Budget;

pub use answer::{Answer, Proof, Reason, Witness};
pub use answer_each::answer_each;
pub use conform::{Certainty, Changes, Claim, CompareMachines, Kill, Observer, Place, Tester, apply, with_values};
pub use definedness::{Definedness, definedness};
pub use engine::{Answered, Both, Engine};
pub use explicit::Explicit;
pub use portfolio::{Cones, Portfolio};
pub use query::Query;
pub use sat::{Condition, Core, Embedded, Refused, SafetyClaim, Sat, Translated, check_certificate};
pub use search::{EstimateState, ExtendTrace, Search, Sink, SmvExplain, TargetId};
pub use symbolic::check::{Quantity, Sanity};
pub use symbolic::comparison::agree::Agreement;
pub use symbolic::comparison::bisimulation::Labels;
pub use symbolic::comparison::change::MutantKey;
pub use symbolic::comparison::distinguish::{CompiledGoal, Ends, States, ViolationKey};
pub use symbolic::comparison::mutant::{Behaviour, Difference, Invalid, fairness_claim};
pub use symbolic::encoding::machine::Part;
pub use symbolic::image::Image;
pub use symbolic::safety::danger::{Danger, Dangers, Failing};
pub use symbolic::safety::variant::{Effect, Variant};
pub use symbolic::state_estimation::StateEstimate;
pub use symbolic::{BuildError, Options, Symbolic, Undefined, UndefinedReason};
pub use totality::Totality;
