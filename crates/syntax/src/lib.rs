//! Text to tree: lexing, parsing and printing of the languages that Specwright reads.
//!
//! This crate knows the syntax of specifications; their semantics is in `specwright-model`.
//! Parsing never fails: it returns a tree and the diagnostics found on the way.
//!
//! ```
//! use specwright_syntax::smv::{ast::Dialect, parse, print::print_file};
//! use specwright_syntax::span::SourceMap;
//!
//! let mut sources = SourceMap::default();
//! sources.add("lamp.smv", "MODULE main VAR on : boolean; SPEC AG ((on) -> (AX !on))").expect("it is small");
//! let (tree, diagnostics) = parse(&sources.files()[0], Dialect::NuSmv);
//! assert!(diagnostics.is_empty());
//! assert_eq!(print_file(&tree), "MODULE main\nVAR\n  on : boolean;\n\nSPEC AG (on -> AX !on);\n");
//! ```
#![forbid(unsafe_code)]

pub mod aiger;
pub mod asm;
pub mod budget;
pub mod columns;
pub mod csv;
pub mod diagnostic;
pub mod escape;
pub mod op;
pub mod parallel;
pub mod scr;
pub mod smv;
pub mod span;
pub mod statechart;
#[cfg(feature = "testing")]
pub mod testing;
