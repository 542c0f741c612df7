//! Statecharts: XState machines as JSON, JavaScript and TypeScript, and SCXML, as one tree.

pub mod ast;
pub mod codes;
mod expressions;
mod factories;
mod json;
mod properties;
mod script;
mod scxml;
mod spread;
mod term;
mod xstate;

pub use scxml::{PROCESSOR, duration, parse_scxml};
pub use xstate::{Read, parse_json, parse_script};
