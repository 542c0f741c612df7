//! Goals to tests: mutants and coverage criteria, generation, grading, winnowing, minimization.
//!
//! ```
//! use specwright_mc::{Symbolic, Options, Answer};
//! use specwright_model::lower::smv::{Options as Lowering, lower};
//! use specwright_syntax::{smv, span::SourceMap};
//!
//! let mut sources = SourceMap::default();
//! sources.add("light.smv", "MODULE main VAR on : boolean; ASSIGN init(on) := FALSE; SPEC AG !on").unwrap();
//! let (file, _) = smv::parse(&sources.files()[0], Default::default());
//! let model = lower(&file, &Lowering::default()).0.unwrap();
//! let claim = model.properties[0].formula.expr;
//! let mut engine = Symbolic::new(model.system, &Options::default()).unwrap();
//! // Every test is the answer to a query like this one: an execution that falsifies the claim.
//! let Answer::Found(trace) = engine.falsify(claim) else { panic!("the light can be switched on") };
//! assert_eq!(trace.states.len(), 2);
//! ```
#![forbid(unsafe_code)]

pub mod audit;
pub mod cfsm;
pub mod compare;
pub mod criteria;
pub mod focus;
pub mod fsm;
pub mod generate;
pub mod goal;
pub mod grade;
pub mod minimize;
pub mod mutate;
pub mod pair;
mod policy;
pub mod reflect;
pub mod safety;
pub mod suite;
pub mod winnow;
