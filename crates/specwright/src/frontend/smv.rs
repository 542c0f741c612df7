//! SMV, in two dialects.

use super::{Dialect, Frontend, Understood, lowered};
use crate::session::ReadSettings;
use specwright_model::lower::smv::{Options, lower};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv;
use specwright_syntax::span::SourceMap;

pub(super) struct Smv;

impl Frontend for Smv {
    fn name(&self) -> &'static str {
        "smv"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["smv"]
    }

    fn understand(&self, sources: &mut SourceMap, file: usize, settings: &ReadSettings) -> Understood {
        understand(sources, file, settings.dialect)
    }

    fn advice(
        &self,
        sources: &mut SourceMap,
        file: usize,
        settings: &ReadSettings,
        reasons: &[Diagnostic],
    ) -> Option<&'static str> {
        let names_dialect = |reason: &Diagnostic| reason.help.iter().any(|help| help.contains("--dialect"));
        let is_open = settings.dialect == Dialect::NuSmv && !reasons.iter().any(names_dialect);
        (is_open && understand(sources, file, Dialect::Cmu).0.is_some())
            .then_some("the file is valid in the SMV of the 1990s: `--dialect cmu` reads it")
    }
}

fn understand(sources: &SourceMap, file: usize, dialect: Dialect) -> Understood {
    let file = &sources.files()[file];
    let (tree, diagnostics) = smv::parse(file, dialect);
    let (name, budget) = (file.name.clone(), file.budget.clone());
    let options = Options { dialect, name, budget, ..Options::default() };
    lowered(diagnostics, || lower(&tree, &options))
}
