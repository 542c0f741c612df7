//! SCR: tables, and single mode matrices as CSV.

use super::{Frontend, Understood, lowered};
use crate::session::ReadSettings;
use specwright_model::lower::scr::{Options, lower};
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

    fn understand(&self, sources: &mut SourceMap, file: usize, settings: &ReadSettings) -> Understood {
        understand(&sources.files()[file], settings, parse)
    }
}

impl Frontend for Matrix {
    fn name(&self) -> &'static str {
        "scr"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["csv"]
    }

    fn understand(&self, sources: &mut SourceMap, file: usize, settings: &ReadSettings) -> Understood {
        understand(&sources.files()[file], settings, parse_csv)
    }
}

fn understand(
    file: &SourceFile,
    settings: &ReadSettings,
    parse: fn(&SourceFile) -> (File, Vec<Diagnostic>),
) -> Understood {
    let (tree, diagnostics) = parse(file);
    let options = Options {
        name: file.name.clone(),
        overlap: settings.overlap,
        fills_gaps: settings.fills_gaps,
        budget: file.budget.clone(),
    };
    lowered(diagnostics, || lower(&tree, &options))
}
