//! Symbolic model checking: sets of states as decision diagrams.
//!
//! A model is encoded once and then asked many questions; whatever one of them computes, the next ones find ready. Every
//! trace that leaves this crate was replayed by the explicit interpreter of `specwright-model`.
//!
//! ```
//! use specwright_mc::{Answer, Options, Symbolic};
//! use specwright_model::lower::smv::{Options as Lowering, lower};
//! use specwright_syntax::{smv, span::SourceMap};
//!
//! let mut sources = SourceMap::default();
//! sources.add("light.smv", "MODULE main VAR on : boolean; ASSIGN init(on) := FALSE; SPEC AG !on").unwrap();
//! let (file, _) = smv::parse(&sources.files()[0], Default::default());
//! let model = lower(&file, &Lowering::default()).0.unwrap();
//! let claim = model.properties[0].formula.expr;
//! let mut engine = Symbolic::new(model, &Options::default()).unwrap();
//! let Answer::Found(trace) = engine.falsify(claim) else { panic!("the light can be switched on") };
//! assert_eq!(trace.states.len(), 2);
//! ```

mod answer;
mod definedness;
mod explicit;
mod ltl;
mod portfolio;
mod query;
mod search;
mod symbolic;

pub use specwright_bdd as bdd;

pub use answer::{Answer, Proof, Reason, Witness};
pub use definedness::{Definedness, definedness};
pub use explicit::Explicit;
pub use portfolio::{Cones, Portfolio};
pub use query::Query;
pub use search::{ExtendTrace, Search, Sink, SmvExplain, TargetId};
pub use symbolic::agree::Agreement;
pub use symbolic::check::{Quantity, Sanity};
pub use symbolic::distinguish::{CompiledGoal, Ends, States, ViolationKey};
pub use symbolic::estimate::StateEstimate;
pub use symbolic::machine::Part;
pub use symbolic::machines::danger::{Danger, Dangers, Failing};
pub use symbolic::machines::variant::{Effect, Variant};
pub use symbolic::{BuildError, Options, Symbolic, Undefined, UndefinedReason};
