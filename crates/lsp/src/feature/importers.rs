//! The files that import a document: open documents, and files beside it.

use super::View;
use crate::analysis::{Syntax, Task, syntax};
use crate::lexis::Language;
use crate::uri;
use specwright::ReadSettings;
use specwright::text::Text;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// No folder of specifications has more.
const MOST: usize = 1000;

/// The document with all files that import it; nothing if there are none.
pub(super) fn widened(view: &View<'_>) -> Option<Syntax> {
    let path = uri::to_path(&view.document.uri).filter(|_| view.syntax.language == Language::Asm)?;
    let stem = path.file_stem()?.to_str()?.to_owned();
    let mut texts: BTreeMap<PathBuf, Arc<str>> = BTreeMap::new();
    for entry in path.parent().map(std::fs::read_dir)?.ok()?.flatten().take(MOST) {
        let other = entry.path();
        if other != path
            && other.extension().is_some_and(|extension| extension == "asm")
            && imports_saved(&other, &stem)
            && let Ok(text) = Text::read(&other, "")
        {
            texts.insert(other, text.text.into());
        }
    }
    for document in view.documents.values().filter(|document| document.uri != view.document.uri) {
        if let Some(other) = uri::to_path(&document.uri) {
            texts.remove(&other);
            if super::imports(document, &view.document.uri) {
                texts.insert(other, Arc::clone(document.lines.text()));
            }
        }
    }
    if texts.is_empty() {
        return None;
    }
    let open = view
        .documents
        .values()
        .filter_map(|document| uri::to_path(&document.uri).map(|path| (path, Arc::clone(document.lines.text()))));
    let settings = ReadSettings { texts: Arc::new(open.collect()), ..ReadSettings::default() };
    let task = Task {
        uri: view.document.uri.clone(),
        generation: 0,
        name: view.document.name(),
        language: Language::Asm,
        text: Arc::clone(view.document.lines.text()),
        others: texts.into_iter().collect(),
        settings,
    };
    Some(syntax(&task))
}

fn imports_saved(path: &Path, stem: &str) -> bool {
    let Ok(Text { text, .. }) = Text::read(path, "") else { return false };
    text.lines().any(|line| line.trim_start().starts_with("import") && line.contains(stem))
}
