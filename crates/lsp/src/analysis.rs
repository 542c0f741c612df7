//! From a text to what the server knows of it, on a thread of its own.
//!
//! There are two steps: the tree with its [`Index`], which needs milliseconds, and the meaning, with all diagnostics. Both
//! end at once when a newer text arrives.

use crate::index::{self, Index, Part};
use crate::lexis::{Language, Token, tokens};
use crate::position::Lines;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use specwright::events::{Level, Progress};
use specwright::frontend::asm::{Loaded, load};
use specwright::syntax::budget::Budget;
use specwright::syntax::diagnostic::Diagnostic;
use specwright::syntax::span::{SourceMap, Span};
use specwright::syntax::{asm, scr, smv};
use specwright::{Events, ReadSettings, Session};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The time to wait for the next key before a text is looked at.
const DEBOUNCE: Duration = Duration::from_millis(15);

/// Deep models make for deep recursion. The memory is only taken if it is used.
pub(crate) const STACK: usize = 256 << 20;

/// A text to look at.
#[derive(Clone)]
pub(crate) struct Task {
    /// The address of the document.
    pub(crate) uri: String,
    /// Which text of the document it is.
    pub(crate) generation: u64,
    /// The name of the file; what it imports is looked for beside it.
    pub(crate) name: String,
    /// The language.
    pub(crate) language: Language,
    /// The text.
    pub(crate) text: Arc<str>,
    /// Other files to look at: those that import the text.
    pub(crate) others: Vec<(PathBuf, Arc<str>)>,
    /// How it is read; its cancellation flag ends the work.
    pub(crate) settings: ReadSettings,
}

/// A text and its symbols. Positions in it are those of this text and of no other.
#[derive(Debug)]
pub(crate) struct Syntax {
    /// The language.
    pub(crate) language: Language,
    /// The file, and those that it imports.
    pub(crate) sources: SourceMap,
    /// The lines of each file.
    pub(crate) lines: Vec<Lines>,
    /// The tokens of the file.
    pub(crate) tokens: Vec<Token>,
    /// The symbols.
    pub(crate) index: Index,
}

impl Syntax {
    /// The text of a span.
    pub(crate) fn text(&self, span: Span) -> &str {
        self.sources.text(span)
    }

    /// The number of the file in which a span lies, and the byte offsets there.
    pub(crate) fn locate(&self, span: Span) -> Option<(usize, usize, usize)> {
        locate(&self.sources, span)
    }
}

/// The number of the file in which a span lies, and the byte offsets there.
pub(crate) fn locate(sources: &SourceMap, span: Span) -> Option<(usize, usize, usize)> {
    let file = sources.file_at(span.start).filter(|_| span.is_some())?;
    let number = sources.files().iter().position(|other| other.start == file.start)?;
    let end = span.end.min(file.span().end).max(span.start);
    Some((number, (span.start - file.start) as usize, (end - file.start) as usize))
}

/// What there is to say about a text.
#[derive(Debug)]
pub(crate) struct Meaning {
    /// The files that diagnostics are about.
    pub(crate) sources: SourceMap,
    /// The diagnostics.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Other messages.
    pub(crate) messages: Vec<(Level, String)>,
    /// The model, if the text has a meaning.
    pub(crate) session: Option<Arc<Session>>,
    /// Whether nothing follows.
    pub(crate) is_final: bool,
}

/// A result of the worker.
pub(crate) enum Finding {
    /// The symbols of a text.
    Syntax(String, u64, Arc<Syntax>),
    /// The meaning of a text.
    Meaning(String, u64, Arc<Meaning>),
    /// The work on a text failed, which is our mistake.
    Broken(String, u64, String),
}

/// Looks at texts until there are no more. Of several texts of one document only the newest counts.
pub(crate) fn work(tasks: &Receiver<Task>, findings: &Sender<Finding>) {
    let mut waiting: Vec<Task> = Vec::new();
    loop {
        if waiting.is_empty() {
            match tasks.recv() {
                Ok(task) => waiting.push(task),
                Err(_) => return,
            }
        }
        // Keys come in bursts.
        loop {
            match tasks.recv_timeout(DEBOUNCE) {
                Ok(task) => {
                    waiting.retain(|other| other.uri != task.uri);
                    waiting.push(task);
                }
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
        let task = waiting.remove(0);
        let broken = |reason: String| Finding::Broken(task.uri.clone(), task.generation, reason);
        let result = catch_unwind(AssertUnwindSafe(|| Budget::run(|| look(&task, findings))));
        if let Err(panic) = result {
            let reason = panic.downcast_ref::<String>().map(String::as_str);
            let reason = reason.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown reason");
            let _ = findings.send(broken(reason.to_owned()));
        }
    }
}

fn look(task: &Task, findings: &Sender<Finding>) {
    let syntax = Arc::new(syntax(task));
    if findings.send(Finding::Syntax(task.uri.clone(), task.generation, syntax)).is_err() {
        return;
    }
    let mut events = Collector { task, findings, sources: SourceMap::default(), diagnostics: vec![], messages: vec![] };
    let session = Session::parse(&task.name, &*task.text, &task.settings, &mut events);
    let Collector { sources, diagnostics, messages, .. } = events;
    let session = session.ok().map(Arc::new);
    let meaning = Meaning { sources, diagnostics, messages, session, is_final: true };
    let _ = findings.send(Finding::Meaning(task.uri.clone(), task.generation, Arc::new(meaning)));
}

/// The tree of a text, as an index.
pub(crate) fn syntax(task: &Task) -> Syntax {
    let mut sources = SourceMap::within(task.settings.limits.budget());
    let added = sources.add(&task.name, Arc::clone(&task.text));
    let index = match (added, task.language) {
        (Err(_), _) | (_, Language::Other) => Index::default(),
        (Ok(file), Language::Smv) => {
            let file = &sources.files()[file];
            index::smv(&smv::parse(file, task.settings.dialect).0, file)
        }
        (Ok(file), Language::Statechart) => {
            let file = &sources.files()[file];
            let (chart, _) = specwright::frontend::statechart::parse(file);
            chart.map_or_else(Index::default, |chart| index::statechart(&chart, file))
        }
        (Ok(file), Language::Scr) => {
            let file = &sources.files()[file];
            index::scr(&scr::parse(file).0, file)
        }
        (Ok(_), Language::Asm) => {
            for (path, text) in &task.others {
                let _ = sources.add(path.display().to_string(), Arc::clone(text));
            }
            let Loaded { trees, imports, .. } = load(&mut sources, &task.settings);
            let parts = trees.iter().zip(imports).zip(sources.files());
            let parts: Vec<Part<'_>> = parts.map(|((file, imports), source)| Part { file, source, imports }).collect();
            index::asm(&parts)
        }
    };
    let lines = sources.files().iter().map(|file| Lines::new(Arc::clone(&file.text))).collect();
    Syntax { language: task.language, lines, tokens: tokens(&task.text, task.language), sources, index }
}

/// Collects what is said about a text, and passes it on as soon as it is said.
struct Collector<'a> {
    task: &'a Task,
    findings: &'a Sender<Finding>,
    sources: SourceMap,
    diagnostics: Vec<Diagnostic>,
    messages: Vec<(Level, String)>,
}

impl Events for Collector<'_> {
    fn message(&mut self, level: Level, text: &str) {
        self.messages.push((level, text.to_owned()));
    }

    fn diagnostics(&mut self, sources: &SourceMap, found: &[Diagnostic]) {
        // A module that others import is no mistake, though it is no machine.
        let is_module = |found: &&Diagnostic| found.code == asm::codes::NO_MAIN && self.task.text.contains("module");
        self.diagnostics.extend(found.iter().filter(|found| !is_module(found)).cloned());
        self.sources.clone_from(sources);
        let meaning = Meaning {
            sources: sources.clone(),
            diagnostics: self.diagnostics.clone(),
            messages: Vec::new(),
            session: None,
            is_final: false,
        };
        let _ = self.findings.send(Finding::Meaning(self.task.uri.clone(), self.task.generation, Arc::new(meaning)));
    }

    fn progress(&self, _: usize) -> Box<dyn Progress> {
        specwright::Silent::default().progress(0)
    }
}

impl Syntax {
    /// What is known of a text that could not be looked at.
    pub(crate) fn empty(language: Language, lines: &Lines) -> Syntax {
        let mut sources = SourceMap::default();
        let _ = sources.add("", Arc::clone(lines.text()));
        Syntax { language, sources, lines: vec![lines.clone()], tokens: Vec::new(), index: Index::default() }
    }
}

impl Meaning {
    /// The meaning of a text that could not be looked at.
    pub(crate) fn empty() -> Meaning {
        let (sources, diagnostics, messages) = (SourceMap::default(), Vec::new(), Vec::new());
        Meaning { sources, diagnostics, messages, session: None, is_final: true }
    }
}
