//! The properties that restate a machine.

use crate::reflect::Reflected;
use serde::Serialize;
use specwright_testgen::reflect::Clause;

/// The properties that restate a machine.
#[derive(Serialize)]
pub struct ReflectDocument {
    schema: &'static str,
    model: String,
    clauses: Vec<ClauseEntry>,
    counts: serde_json::Map<String, serde_json::Value>,
    shadows: Vec<String>,
    notes: Vec<NoteEntry>,
}

#[derive(Serialize)]
struct ClauseEntry {
    id: String,
    name: String,
    kind: &'static str,
    line: Option<usize>,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    vacuous: Option<bool>,
}

#[derive(Serialize)]
struct NoteEntry {
    line: Option<usize>,
    message: String,
}

impl ReflectDocument {
    /// The document of a reflection.
    pub fn new(reflected: &Reflected) -> ReflectDocument {
        let Reflected { sources, model, reflection } = reflected;
        let line = |span| sources.locate(span).map(|(_, line, _)| line);

        let entry = |clause: &Clause| ClauseEntry {
            id: clause.id.clone(),
            name: clause.name.clone(),
            kind: clause.origin.word(),
            line: line(clause.span),
            text: model.show_sourced(&clause.formula),
            vacuous: clause.vacuous,
        };
        let notes = reflection.notes.iter();
        ReflectDocument {
            schema: "specwright/reflect/1",
            model: model.name.clone(),
            clauses: reflection.clauses.iter().map(entry).collect(),
            counts: reflected.counts().into_iter().map(|(kind, n)| (kind.to_owned(), n.into())).collect(),
            shadows: reflection.shadows.iter().map(|var| model[*var].name.clone()).collect(),
            notes: notes.map(|note| NoteEntry { line: line(note.span), message: note.message.clone() }).collect(),
        }
    }
}
