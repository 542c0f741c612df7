//! AIGER circuits, in ASCII and in binary format.

use super::{Frontend, Understood, lowered};
use crate::session::ReadSettings;
use crate::text::Text;
use specwright_model::lower::aiger::lower;
use specwright_syntax::aiger::{decode, parse};
use specwright_syntax::span::SourceMap;

/// Circuits.
pub(super) struct Circuits;

impl Frontend for Circuits {
    fn name(&self) -> &'static str {
        "aiger"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["aag", "aig"]
    }

    fn text(&self, bytes: Vec<u8>) -> Result<Text, String> {
        decode(&bytes).map(Text::from)
    }

    fn understand(&self, sources: &mut SourceMap, file: usize, _: &ReadSettings) -> Understood {
        let file = &sources.files()[file];
        let (circuit, diagnostics) = parse(file);
        lowered(diagnostics, || (Some(lower(&circuit, &file.name, &file.budget)), Vec::new()))
    }
}
