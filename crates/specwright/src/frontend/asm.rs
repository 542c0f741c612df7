//! AsmetaL: abstract state machines, each with the files that it imports.

use super::{Frontend, Understood, lowered};
use crate::session::ReadSettings;
use crate::suites;
use crate::text::Text;
use specwright_model::lower::asm::{Demands, ExecutedRule, Options, lower};
use specwright_syntax::asm::ast::File;
use specwright_syntax::asm::{codes, parse, parse_rule};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceMap;
use std::path::{Component, Path, PathBuf};

pub(super) struct AsmetaL;

impl Frontend for AsmetaL {
    fn name(&self) -> &'static str {
        "asmetal"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["asm"]
    }

    fn understand(&self, sources: &mut SourceMap, file: usize, settings: &ReadSettings) -> Understood {
        understand(sources, file, settings)
    }
}

/// The libraries of AsmetaL that are built in. Where files have names in any case, people write `CTLlibrary`, too.
const LIBRARIES: [&str; 3] = ["StandardLibrary", "CTLLibrary", "LTLLibrary"];

/// The files of a machine.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The trees of the files, which have the same numbers among the sources.
    pub trees: Vec<File>,
    /// For each file and each of its imports the number of the file, if it was found. Libraries that are built in have none.
    pub imports: Vec<Vec<Option<usize>>>,
    /// What is wrong with the way they are written.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses all files among the sources, and those that they import.
pub fn load(sources: &mut SourceMap, settings: &ReadSettings) -> Loaded {
    let mut loaded = Loaded::default();
    let mut known: Vec<PathBuf> = sources.files().iter().map(|file| PathBuf::from(&file.name)).collect();
    let mut index = 0;
    while index < sources.files().len() {
        let (tree, found) = parse(&sources.files()[index]);
        loaded.diagnostics.extend(found);
        let folder = Path::new(&sources.files()[index].name).parent().map(Path::to_path_buf).unwrap_or_default();
        let mut imports = Vec::new();
        for import in &tree.imports {
            let stem = import.path.text.rsplit('/').next().unwrap_or_default();
            if LIBRARIES.iter().any(|library| library.eq_ignore_ascii_case(stem)) {
                imports.push(None);
                continue;
            }
            let path = plain(&folder.join(format!("{}.asm", import.path.text)));
            if let Some(number) = known.iter().position(|other| *other == path) {
                imports.push(Some(number));
                continue;
            }
            let shown = path.display().to_string();
            let text = match settings.texts.get(&path) {
                Some(text) => Ok(Text::from(text.to_string())),
                None => Text::read(&path, &shown),
            };
            match text.and_then(|text| text.add_to(sources, &shown)) {
                Ok((number, encoding)) => {
                    known.push(path);
                    imports.push(Some(number));
                    loaded.diagnostics.extend(encoding);
                }
                Err(reason) => {
                    imports.push(None);
                    loaded.diagnostics.push(Diagnostic::error(codes::BAD_IMPORT, import.path.span, reason));
                }
            }
        }
        loaded.trees.push(tree);
        loaded.imports.push(imports);
        index += 1;
    }
    loaded
}

/// A machine, with the files that it imports.
fn understand(sources: &mut SourceMap, main: usize, settings: &ReadSettings) -> Understood {
    let name = sources.files()[main].name.clone();
    let Loaded { mut trees, mut diagnostics, .. } = load(sources, settings);
    let (demands, found) = demanded(sources, settings, &mut trees);
    diagnostics.extend(found);
    let options = Options {
        name,
        mutants: settings.mutants,
        machine_mutants: settings.machine_mutants,
        observed: [&settings.output[..], &settings.observed].concat(),
        bounds: settings.bounds,
        demands,
        budget: sources.budget.clone(),
    };
    lowered(diagnostics, || lower(&trees, &options))
}

/// What the suite asks of the machine that it is read for. The rules that it executes are added to the files.
fn demanded(sources: &mut SourceMap, settings: &ReadSettings, trees: &mut Vec<File>) -> (Demands, Vec<Diagnostic>) {
    let (mut demands, mut diagnostics) = (Demands::default(), Vec::new());
    let Some(suite) = &settings.suite else { return (demands, diagnostics) };
    let demanded = suites::demands(suite);
    demands.set_first = demanded.set_first;
    for text in demanded.rules {
        let name = format!("{} (exec)", suite.display());
        let Ok(index) = sources.add(&name, text.as_str()) else { continue };
        let (tree, rule, found) = parse_rule(&sources.files()[index]);
        diagnostics.extend(found);
        if let Some(rule) = rule {
            demands.rules.push(ExecutedRule { text, file: trees.len(), rule });
            trees.push(tree);
        }
    }
    (demands, diagnostics)
}

/// A path without the steps that lead back, so that one file has one path.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
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
