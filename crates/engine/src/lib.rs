//! Symbolic model checking: sets of states as decision diagrams.
//!
//! A model is encoded once and then asked many questions; whatever one of them computes, the next ones find ready. Every
//! trace that leaves this crate was replayed by the explicit interpreter of `specwright-model`.
//!
//! ```
//! use specwright_engine::{Engine, Options, Pursuit};
//! use specwright_model::lower::smv::{Options as Lowering, lower};
//! use specwright_syntax::{smv, span::SourceMap};
//!
//! let mut sources = SourceMap::default();
//! sources.add("light.smv", "MODULE main VAR on : boolean; ASSIGN init(on) := FALSE; next(on) := !on; SPEC AG !on").unwrap();
//! let (file, _) = smv::parse(&sources.files()[0], Default::default());
//! let model = lower(&file, &Lowering::default()).0.unwrap();
//! let claim = model.properties[0].formula.expr;
//! let mut engine = Engine::new(model, &Options::default()).unwrap();
//! let Pursuit::Found(trace) = engine.falsify(claim) else { panic!("the light goes on") };
//! assert_eq!(trace.states.len(), 2);
//! ```

mod agree;
mod check;
mod checker;
mod contrast;
mod ctl;
mod danger;
mod definedness;
mod encode;
mod engine;
mod explain;
mod fair;
mod lasso;
mod linear;
mod machine;
mod moves;
mod observe;
mod order;
mod paths;
mod product;
mod pursue;
mod reach;
mod relation;
mod variant;
mod witness;

pub use specwright_bdd as bdd;

pub use agree::Agreement;
pub use check::{Evidence, Quantity, Reason, Sanity, Verdict};
pub use checker::{Checker, Cones};
pub use contrast::{Contrast, Ends, Exposure, Moments, States};
pub use danger::{Danger, Dangers, Failing};
pub use definedness::{Definedness, definedness};
pub use engine::{BuildError, Engine, Options, Undefined, UndefinedReason};
pub use machine::Part;
pub use observe::Belief;
pub use pursue::{Aim, Pursuit};
pub use variant::{Effect, Variant};
