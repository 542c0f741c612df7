//! Renaming: all uses of what a name stands for. The result is looked at before it is shown: it must mean the same.

use super::View;
use crate::analysis::{Syntax, Task, syntax};
use crate::index::{SymbolId, Use};
use crate::lexis::{Language, in_name, starts_name};
use crate::vocabulary;
use gen_lsp_types::{PrepareRenamePlaceholder, PrepareRenameResult, TextEdit, Uri, WorkspaceEdit};
use specwright::ReadSettings;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

/// Whether there is something to rename at a place.
pub(super) fn prepare(view: &View<'_>, offset: usize) -> Option<PrepareRenameResult> {
    let found = view.syntax.index.at(offset as u32);
    let range = view.range(found.first()?.span)?;
    let placeholder = view.syntax.index[found.first()?.symbol].name.clone();
    Some(PrepareRenamePlaceholder { range, placeholder }.into())
}

/// The changes that give what is at a place another name.
pub(super) fn rename(view: &View<'_>, offset: usize, name: &str) -> Result<WorkspaceEdit, String> {
    let language = view.syntax.language;
    let mut letters = name.chars();
    if !letters.next().is_some_and(|first| starts_name(first, language)) || !letters.all(|c| in_name(c, language)) {
        return Err(format!("`{name}` is not a name"));
    }
    if vocabulary::is_keyword(language, name) && language != Language::Statechart {
        return Err(format!("`{name}` is a keyword"));
    }
    let file = view.document.name();
    let is_script = !matches!(file.rsplit('.').next(), Some("json" | "scxml"));
    if language == Language::Statechart && is_script {
        return Err("names of a script may be used elsewhere, so they are not renamed".into());
    }
    let index = &view.syntax.index;
    let symbols = index.together(offset as u32);
    let Some(first) = symbols.first() else { return Err("there is no name here".into()) };
    let old = index[*first].name.clone();
    let is_variable = old.starts_with('$');
    if is_variable != name.starts_with('$') {
        return Err(format!("`{name}` is not a name: variables, and only these, start with `$`"));
    }
    let mut uses: Vec<Use> = index.uses_of(&symbols).copied().collect();
    uses.dedup_by_key(|found| found.span);
    let mut texts: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for found in &uses {
        let Some((file, start, end)) = view.syntax.locate(found.span) else { continue };
        if view.syntax.text(found.span) != old {
            return Err(format!("`{old}` is written in another way somewhere, so it cannot be renamed"));
        }
        texts.entry(file).or_default().push((start, end));
    }
    check(view, &symbols, &texts, (&old, name))?;
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for found in &uses {
        if let Some(location) = view.location(found.span) {
            let edit = TextEdit { range: location.range, new_text: name.to_owned() };
            changes.entry(location.uri).or_default().push(edit);
        }
    }
    Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}

/// Whether every name of the changed text stands for what it did before.
fn check(
    view: &View<'_>,
    symbols: &[SymbolId],
    texts: &BTreeMap<usize, Vec<(usize, usize)>>,
    (old, new): (&str, &str),
) -> Result<(), String> {
    let mut changed: Vec<String> = Vec::new();
    for (number, file) in view.syntax.sources.files().iter().enumerate() {
        let mut text = String::with_capacity(file.text.len());
        let mut at = 0;
        for (start, end) in texts.get(&number).into_iter().flatten() {
            text.push_str(&file.text[at..*start]);
            text.push_str(new);
            at = *end;
        }
        text.push_str(&file.text[at..]);
        changed.push(text);
    }
    let files = view.syntax.sources.files();
    let mut settings = ReadSettings { dialect: view.dialect(), ..ReadSettings::default() };
    let others = files.iter().zip(&changed).skip(1);
    let others: Vec<(PathBuf, Arc<str>)> =
        others.map(|(file, text)| (file.name.clone().into(), Arc::from(text.as_str()))).collect();
    settings.texts = Arc::new(others.iter().cloned().collect());
    let task = Task {
        uri: view.document.uri.clone(),
        generation: 0,
        name: view.document.name(),
        language: view.syntax.language,
        text: Arc::from(changed.first().map_or("", String::as_str)),
        others,
        settings,
    };
    let after = syntax(&task);
    let same = shape(view.syntax, symbols, old, new) == shape(&after, &[], old, new);
    if same {
        Ok(())
    } else {
        Err(format!("`{new}` means something else somewhere, so the specification would change"))
    }
}

/// What the names of a text stand for, without their places: the number of the symbol of each.
fn shape(syntax: &Syntax, renamed: &[SymbolId], old: &str, new: &str) -> Vec<(u32, bool, String)> {
    let name = |symbol: SymbolId| {
        let name = &syntax.index[symbol].name;
        if renamed.contains(&symbol) && name == old { new.to_owned() } else { name.clone() }
    };
    let uses = syntax.index.uses.iter();
    uses.map(|found| (found.symbol.0, found.is_definition, name(found.symbol))).collect()
}
