//! SCR: tables, and single mode matrices as CSV.

use super::{Frontend, Understood, lowered};
use crate::session::ReadSettings;
use specwright_model::lower::scr::lower;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::scr::ast::File;
use specwright_syntax::scr::{parse, parse_csv};
use specwright_syntax::span::{SourceFile, SourceMap};

/// Tables.
pub(super) struct Tables;

/// A mode matrix as CSV.
pub(super) struct Matrix;

impl Frontend for Tables {
    fn name(&self) -> &'static str {
        "scr"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["scr"]
    }

    fn understand(&self, sources: &mut SourceMap, file: usize, _: &ReadSettings) -> Understood {
        understand(&sources.files()[file], parse)
    }
}

impl Frontend for Matrix {
    fn name(&self) -> &'static str {
        "scr"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["csv"]
    }

    fn understand(&self, sources: &mut SourceMap, file: usize, _: &ReadSettings) -> Understood {
        understand(&sources.files()[file], parse_csv)
    }
}

fn understand(file: &SourceFile, parse: fn(&SourceFile) -> (File, Vec<Diagnostic>)) -> Understood {
    let (tree, diagnostics) = parse(file);
    lowered(diagnostics, || lower(&tree, &file.name, &file.budget))
}
