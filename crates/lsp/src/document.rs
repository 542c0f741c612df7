//! The open documents, and what is known of them.

use crate::analysis::{Meaning, Syntax, Task};
use crate::jobs::Results;
use crate::lexis::Language;
use crate::position::Lines;
use crate::uri;
use gen_lsp_types::TextDocumentContentChangeEvent;
use lsp_server::Request;
use specwright::ReadSettings;
use specwright::frontend;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What must be known of a document before a request can be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    /// Its symbols.
    Syntax,
    /// Its meaning.
    Meaning,
}

/// An open document.
pub(crate) struct Document {
    /// Its address.
    pub(crate) uri: String,
    /// Its version, as the client counts.
    pub(crate) version: i32,
    /// The number of its text, as the server counts.
    pub(crate) generation: u64,
    /// Its language.
    pub(crate) language: Language,
    /// Its text.
    pub(crate) lines: Lines,
    /// The symbols of this text.
    pub(crate) syntax: Option<Arc<Syntax>>,
    /// The meaning of this text.
    pub(crate) meaning: Option<Arc<Meaning>>,
    /// The dialect in which this text is read.
    pub(crate) dialect: frontend::Dialect,
    /// What verification has found out about this text.
    pub(crate) results: Results,
    /// Requests that wait for the server.
    pub(crate) pending: Vec<(Need, Request)>,
    /// Ends the work on this text.
    pub(crate) cancel: Arc<AtomicBool>,
    /// The files that have diagnostics of this document.
    pub(crate) published: Vec<String>,
}

impl Document {
    /// A document that was opened.
    pub(crate) fn new(uri: String, language_id: &str, version: i32, text: String) -> Document {
        let language = language_of(&uri, language_id);
        Document {
            uri,
            version,
            generation: 0,
            language,
            lines: Lines::new(text),
            syntax: None,
            meaning: None,
            dialect: frontend::Dialect::default(),
            results: Results::default(),
            pending: Vec::new(),
            cancel: Arc::default(),
            published: Vec::new(),
        }
    }

    /// Changes the text.
    pub(crate) fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        self.version = version;
        for change in changes {
            self.lines = match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    self.lines.replaced(part.range, &part.text)
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => Lines::new(whole.text),
            };
        }
    }

    /// Forgets what was known of the text before, and makes the task to find out about this one.
    pub(crate) fn task(&mut self, generation: u64, settings: &ReadSettings) -> Task {
        self.cancel.store(true, Ordering::Relaxed);
        self.cancel = Arc::default();
        self.generation = generation;
        self.dialect = settings.dialect;
        (self.syntax, self.meaning) = (None, None);
        self.results = Results::default();
        let mut settings = settings.clone();
        settings.limits.cancel = Arc::clone(&self.cancel);
        Task {
            uri: self.uri.clone(),
            generation,
            name: self.name(),
            language: self.language,
            text: Arc::clone(self.lines.text()),
            others: Vec::new(),
            settings,
        }
    }

    /// The name of its file. A document without one gets a name with the extension of its language.
    pub(crate) fn name(&self) -> String {
        let name = match uri::to_path(&self.uri) {
            Some(path) => path.display().to_string(),
            None => uri::file_name(&self.uri).replace(':', "_"),
        };
        let fits = language_of(&name, "") == self.language && Path::new(&name).extension().is_some();
        let extension = match self.language {
            _ if fits => return name,
            Language::Smv | Language::Other => "smv",
            Language::Scr => "scr",
            Language::Asm => "asm",
            Language::Statechart => "json",
        };
        format!("{name}.{extension}")
    }

    /// Whether a request can be answered.
    pub(crate) fn knows(&self, need: Need) -> bool {
        match need {
            Need::Syntax => self.syntax.is_some(),
            Need::Meaning => self.syntax.is_some() && self.meaning.as_ref().is_some_and(|meaning| meaning.is_final),
        }
    }
}

/// The language of a document: by the extension of its file or else by what the client calls it.
pub(crate) fn language_of(name: &str, language_id: &str) -> Language {
    let path = Path::new(name);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let known = frontend::FRONTENDS.iter().find(|frontend| frontend.extensions().contains(&extension));
    match (known.map(|frontend| frontend.name()), extension) {
        (Some("smv"), _) => Language::Smv,
        (Some("scr"), "scr") => Language::Scr,
        (Some("asmetal"), _) => Language::Asm,
        (Some("statechart"), _) => Language::Statechart,
        (Some(_), _) => Language::Other,
        (None, _) => match language_id {
            "scr" => Language::Scr,
            "asmetal" | "asm" => Language::Asm,
            _ => Language::Smv,
        },
    }
}
