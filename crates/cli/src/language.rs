//! The languages: which of them a file is written in, and from its text to a model.
//!
//! This is the only place that knows more than one of them.

use specwright_model::Model;
use specwright_model::lower;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::scr;
use specwright_syntax::smv;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::span::SourceMap;
use std::path::Path;

/// A specification language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Smv(Dialect),
    /// Tables.
    Scr,
    /// A mode matrix as CSV.
    ScrMatrix,
}

impl Language {
    /// The language of a file, by its extension, or why it cannot be read. What has no telling name is SMV.
    pub fn of(path: &Path, dialect: Dialect) -> Result<Language, &'static str> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("scr") => Ok(Language::Scr),
            Some("csv") => Ok(Language::ScrMatrix),
            Some("asm") => Err("Abstract State Machines are not supported yet"),
            _ => Ok(Language::Smv(dialect)),
        }
    }

    /// The model that a file describes, unless it is invalid, and everything there is to say about it. What the file
    /// refers to is added to the sources.
    pub fn understand(self, sources: &mut SourceMap, file: usize) -> (Option<Model>, Vec<Diagnostic>) {
        let file = &sources.files()[file];
        match self {
            Language::Scr => {
                let (tree, diagnostics) = scr::parse(file);
                lowered(diagnostics, || lower::scr::lower(&tree, &file.name))
            }
            Language::ScrMatrix => {
                let (tree, diagnostics) = scr::parse_csv(file);
                lowered(diagnostics, || lower::scr::lower(&tree, &file.name))
            }
            Language::Smv(dialect) => {
                let (tree, diagnostics) = smv::parse(file, dialect);
                let options = lower::smv::Options { dialect, name: file.name.clone(), ..Default::default() };
                lowered(diagnostics, || lower::smv::lower(&tree, &options))
            }
        }
    }
}

/// Goes on to the meaning of a file, unless something is wrong with the way it is written.
fn lowered(
    mut diagnostics: Vec<Diagnostic>,
    lower: impl FnOnce() -> (Option<Model>, Vec<Diagnostic>),
) -> (Option<Model>, Vec<Diagnostic>) {
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }
    let (model, found) = lower();
    diagnostics.extend(found);
    (model, diagnostics)
}
