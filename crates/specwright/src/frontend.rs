//! The languages: which of them a file is written in, and from its text to a model.
//!
//! This is the only place that knows more than one of them.

use crate::text::Text;
use specwright_model::Model;
use specwright_model::lower;
use specwright_syntax::asm;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::scr;
use specwright_syntax::smv;
pub use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::span::SourceMap;
use std::path::Path;

/// A specification language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A machine; with mutants, what tells slightly wrong ones apart.
    Asm {
        /// Whether its rules are mutated.
        mutants: bool,
    },
    /// SMV.
    Smv(Dialect),
    /// Tables.
    Scr,
    /// A mode matrix as CSV.
    ScrMatrix,
}

impl Language {
    /// The language of a file, by its extension. What has no telling name is SMV.
    pub fn of(path: &Path, dialect: Dialect) -> Language {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("scr") => Language::Scr,
            Some("csv") => Language::ScrMatrix,
            Some("asm") => Language::Asm { mutants: false },
            _ => Language::Smv(dialect),
        }
    }

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Language::Asm { .. } => "asmetal",
            Language::Smv(_) => "smv",
            Language::Scr | Language::ScrMatrix => "scr",
        }
    }

    /// The model that a file describes, unless it is invalid, and everything there is to say about it. What the file
    /// refers to is added to the sources.
    pub fn understand(self, sources: &mut SourceMap, file: usize) -> (Option<Model>, Vec<Diagnostic>) {
        self.understand_for(sources, file, &[])
    }

    /// The same for a tester who observes these: derived functions of a machine become defines, which no rule may read.
    pub fn understand_for(
        self,
        sources: &mut SourceMap,
        file: usize,
        observed: &[String],
    ) -> (Option<Model>, Vec<Diagnostic>) {
        if let Language::Asm { mutants } = self {
            return understand_asm(sources, file, mutants, observed);
        }
        let file = &sources.files()[file];
        match self {
            Language::Scr => {
                let (tree, diagnostics) = scr::parse(file);
                lowered(diagnostics, || lower::scr::lower(&tree, &file.name, &file.budget))
            }
            Language::ScrMatrix => {
                let (tree, diagnostics) = scr::parse_csv(file);
                lowered(diagnostics, || lower::scr::lower(&tree, &file.name, &file.budget))
            }
            Language::Asm { .. } => (None, Vec::new()),
            Language::Smv(dialect) => {
                let (tree, diagnostics) = smv::parse(file, dialect);
                let (name, budget) = (file.name.clone(), file.budget.clone());
                let options = lower::smv::Options { dialect, name, budget, ..Default::default() };
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

/// The libraries of AsmetaL that are built in. Where files have names in any case, people write `CTLlibrary`, too.
const LIBRARIES: [&str; 3] = ["StandardLibrary", "CTLLibrary", "LTLLibrary"];

/// A machine, with the files that it imports.
fn understand_asm(
    sources: &mut SourceMap,
    main: usize,
    mutants: bool,
    observed: &[String],
) -> (Option<Model>, Vec<Diagnostic>) {
    let name = sources.files()[main].name.clone();
    let mut trees = Vec::new();
    let mut diagnostics = Vec::new();
    let mut known = vec![std::path::PathBuf::from(&name)];
    let mut waiting = std::collections::VecDeque::from([main]);
    while let Some(index) = waiting.pop_front() {
        let (tree, found) = asm::parse(&sources.files()[index]);
        diagnostics.extend(found);
        let folder = Path::new(&sources.files()[index].name).parent().map(Path::to_path_buf).unwrap_or_default();
        for import in &tree.imports {
            let stem = import.path.text.rsplit('/').next().unwrap_or_default();
            if LIBRARIES.iter().any(|library| library.eq_ignore_ascii_case(stem)) {
                continue;
            }
            let path = plain(&folder.join(format!("{}.asm", import.path.text)));
            if known.contains(&path) {
                continue;
            }
            known.push(path.clone());
            let shown = path.display().to_string();
            match Text::read(&path, &shown).and_then(|text| text.add_to(sources, &shown)) {
                Ok((index, encoding)) => {
                    diagnostics.extend(encoding);
                    waiting.push_back(index);
                }
                Err(reason) => {
                    diagnostics.push(Diagnostic::error(asm::codes::BAD_IMPORT, import.path.span, reason));
                }
            }
        }
        trees.push(tree);
    }
    let options = lower::asm::Options { name, mutants, observed: observed.to_vec(), budget: sources.budget.clone() };
    lowered(diagnostics, || lower::asm::lower(&trees, &options))
}

/// A path without the steps that lead back, so that one file has one path.
fn plain(path: &Path) -> std::path::PathBuf {
    use std::path::Component;
    let mut plain = std::path::PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(plain.components().next_back(), Some(Component::Normal(_))) => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}
