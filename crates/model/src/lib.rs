//! The typed model that every language lowers to and every engine consumes, and the explicit interpreter that defines
//! its semantics.
//!
//! Reading order: values and their domains, types, expressions, the model itself, states and traces.
//!
//! ```
//! use specwright_model::interp::{Graph, Limits};
//! use specwright_model::lower::smv::{Options as Lowering, lower};
//! use specwright_syntax::{smv, span::SourceMap};
//!
//! let mut sources = SourceMap::default();
//! sources.add("light.smv", "MODULE main VAR on : boolean; ASSIGN init(on) := FALSE; next(on) := !on;").unwrap();
//! let (file, _) = smv::parse(&sources.files()[0], Default::default());
//! let model = lower(&file, &Lowering::default()).0.unwrap();
//! let graph = Graph::explore(&model, Limits::default()).unwrap();
//! assert_eq!(graph.len(), 2);
//! ```
#![forbid(unsafe_code)]

pub mod cone;
pub mod context;
pub mod decimal;
pub mod diagram;
pub mod expr;
pub mod formula;
pub mod hash;
pub mod interface;
pub mod interp;
pub mod lower;
pub mod model;
pub mod property;
pub mod source;
pub mod state;
pub mod system;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod trace;
pub mod ty;
pub mod typing;
pub mod unparse;
pub mod value;

pub use context::Context;
pub use expr::{ExprId, Exprs, Node, SourcedExpr};
pub use interface::{Interface, Observable, Role};
pub use model::Model;
pub use specwright_syntax::op;
pub use state::{State, Trace};
pub use system::{TransitionSystem, VarId};
pub use ty::{Scalar, Ty};
pub use value::{Domain, Symbol, Value, Word};
