//! AsmetaL: abstract state machines, each with the files that it imports.

use super::{Frontend, Understood, lowered};
use crate::session::ReadSettings;
use crate::text::Text;
use specwright_model::lower::asm::{Options, lower};
use specwright_syntax::asm::{codes, parse};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceMap;
use std::collections::VecDeque;
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

/// A machine, with the files that it imports.
fn understand(sources: &mut SourceMap, main: usize, settings: &ReadSettings) -> Understood {
    let name = sources.files()[main].name.clone();
    let mut trees = Vec::new();
    let mut diagnostics = Vec::new();
    let mut known = vec![PathBuf::from(&name)];
    let mut waiting = VecDeque::from([main]);
    while let Some(index) = waiting.pop_front() {
        let (tree, found) = parse(&sources.files()[index]);
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
                    diagnostics.push(Diagnostic::error(codes::BAD_IMPORT, import.path.span, reason));
                }
            }
        }
        trees.push(tree);
    }
    let options = Options {
        name,
        mutants: settings.mutants,
        machine_mutants: settings.machine_mutants,
        observed: [&settings.output[..], &settings.observed].concat(),
        budget: sources.budget.clone(),
    };
    lowered(diagnostics, || lower(&trees, &options))
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
