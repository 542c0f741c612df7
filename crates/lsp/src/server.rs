//! The main loop: messages of the client, findings of the worker, results of jobs.

use crate::Ended;
use crate::analysis::{self, Finding, Task};
use crate::document::{Document, Need};
use crate::feature::{self, View, capabilities};
use crate::jobs::{Job, Jobs, Report};
use crate::transport::{Client, Transport};
use crate::uri;
use crossbeam_channel::{Sender, select, unbounded};
use gen_lsp_types::{
    DidChangeTextDocumentParams, DidOpenTextDocumentParams, ExecuteCommandParams, PublishDiagnosticsParams, Uri,
};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use specwright::ReadSettings;
use specwright::syntax::smv::ast::Dialect;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Serves a client until it leaves.
pub(crate) fn run(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<Ended> {
    let transport = Transport::start(input, output);
    let (tasks, waiting) = unbounded();
    let (sender, findings) = unbounded();
    let worker = std::thread::Builder::new().name("analysis".into()).stack_size(analysis::STACK);
    let worker = worker.spawn(move || analysis::work(&waiting, &sender))?;
    let (reports, reported) = unbounded();
    let mut server = Server {
        client: transport.client.clone(),
        phase: Phase::Fresh,
        documents: BTreeMap::new(),
        tasks,
        generation: 0,
        settings: ReadSettings::default(),
        jobs: Jobs::new(reports),
        lenses_refresh: false,
        n_requests: 0,
    };
    let ended = loop {
        select! {
            recv(transport.incoming) -> message => match message {
                Ok(message) => if let Some(ended) = server.message(message) { break ended },
                Err(_) if server.phase == Phase::Down => break Ended::Orderly,
                Err(_) => break Ended::Abruptly,
            },
            recv(findings) -> finding => if let Ok(finding) = finding { server.finding(finding) },
            recv(reported) -> report => if let Ok(report) = report { server.report(report) },
        }
    };
    server.stop();
    drop(server);
    // The worker ends at its next look at the budget.
    drop(worker);
    transport.finish()?;
    Ok(ended)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Before `initialize`.
    Fresh,
    Up,
    /// After `shutdown`.
    Down,
}

struct Server {
    client: Client,
    phase: Phase,
    documents: BTreeMap<String, Document>,
    tasks: Sender<Task>,
    generation: u64,
    settings: ReadSettings,
    jobs: Jobs,
    /// Whether the client asks for lenses again when it is told to.
    lenses_refresh: bool,
    n_requests: u64,
}

impl Server {
    /// Handles a message. Returns how the session ends, if it does.
    fn message(&mut self, message: Message) -> Option<Ended> {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(Notification { method, .. }) if method == "exit" => {
                return Some(if self.phase == Phase::Down { Ended::Orderly } else { Ended::Abruptly });
            }
            Message::Notification(notification) if self.phase == Phase::Up => self.notification(notification),
            Message::Notification(_) | Message::Response(_) => {}
        }
        None
    }

    fn request(&mut self, request: Request) {
        match (self.phase, request.method.as_str()) {
            (Phase::Fresh, "initialize") => {
                self.configure(&request.params);
                self.phase = Phase::Up;
                self.client.respond(request.id, &capabilities());
            }
            (Phase::Fresh, _) => {
                self.client.fail(request.id, ErrorCode::ServerNotInitialized, "`initialize` comes first".into());
            }
            (Phase::Down, _) => {
                self.client.fail(request.id, ErrorCode::InvalidRequest, "the server is shutting down".into());
            }
            (Phase::Up, "initialize") => {
                self.client.fail(request.id, ErrorCode::InvalidRequest, "the server is initialized".into());
            }
            (Phase::Up, "shutdown") => {
                self.phase = Phase::Down;
                self.stop();
                self.client.respond(request.id, &Value::Null);
            }
            (Phase::Up, "workspace/executeCommand") => self.command(request),
            (Phase::Up, _) => self.ask(request),
        }
    }

    /// Settings of the client.
    fn configure(&mut self, params: &Value) {
        let refresh = params.pointer("/capabilities/workspace/codeLens/refreshSupport");
        self.lenses_refresh = refresh.and_then(Value::as_bool).unwrap_or(false);
        self.change_settings(params.get("initializationOptions").unwrap_or(&Value::Null));
    }

    fn change_settings(&mut self, options: &Value) {
        let options = options.get("specwright").unwrap_or(options);
        match options.get("dialect").and_then(Value::as_str) {
            Some("cmu") => self.settings.dialect = Dialect::Cmu,
            Some(_) => self.settings.dialect = Dialect::NuSmv,
            None => {}
        }
        self.jobs.change_settings(options);
    }

    /// Answers a request about a document, at once or when enough is known of it.
    fn ask(&mut self, request: Request) {
        let Some(need) = feature::need(&request.method) else {
            let message = format!("`{}` is not supported", request.method);
            self.client.fail(request.id, ErrorCode::MethodNotFound, message);
            return;
        };
        let uri = request.params.pointer("/textDocument/uri").and_then(Value::as_str);
        let uri = uri.unwrap_or_default().to_owned();
        match self.documents.get(&uri) {
            None => {
                self.client.fail(request.id, ErrorCode::InvalidParams, "there is no such document open".into());
            }
            Some(document) if document.knows(need) => answer(&self.client, &self.documents, document, request),
            Some(_) => {
                if let Some(document) = self.documents.get_mut(&uri) {
                    document.pending.push((need, request));
                }
            }
        }
    }

    fn notification(&mut self, Notification { method, params }: Notification) {
        match method.as_str() {
            "textDocument/didOpen" => {
                if let Some(DidOpenTextDocumentParams { text_document: opened }) = read(params) {
                    let language = serde_json::to_value(&opened.language_id).unwrap_or_default();
                    let language = language.as_str().unwrap_or_default();
                    let document = Document::new(opened.uri.0.clone(), language, opened.version, opened.text);
                    self.documents.insert(opened.uri.0.clone(), document);
                    self.look(&opened.uri.0);
                }
            }
            "textDocument/didChange" => {
                if let Some(DidChangeTextDocumentParams { text_document, content_changes }) = read(params) {
                    let uri = text_document.text_document_identifier.uri.0;
                    if let Some(document) = self.documents.get_mut(&uri) {
                        document.change(text_document.version, content_changes);
                        self.jobs.cancel_document(&uri);
                        self.look(&uri);
                    }
                }
            }
            "textDocument/didClose" => {
                let uri = params.pointer("/textDocument/uri").and_then(Value::as_str).unwrap_or_default().to_owned();
                self.close(&uri);
            }
            "workspace/didChangeConfiguration" => {
                self.change_settings(params.get("settings").unwrap_or(&Value::Null));
                let uris: Vec<String> = self.documents.keys().cloned().collect();
                for uri in &uris {
                    self.look(uri);
                }
            }
            "$/cancelRequest" => {
                let id = match params.get("id") {
                    Some(Value::Number(number)) => {
                        number.as_i64().and_then(|number| i32::try_from(number).ok()).map(RequestId::from)
                    }
                    Some(Value::String(text)) => Some(RequestId::from(text.clone())),
                    _ => None,
                };
                if let Some(id) = id {
                    self.cancel(&id);
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, uri: &str) {
        self.jobs.cancel_document(uri);
        let Some(document) = self.documents.remove(uri) else { return };
        document.cancel.store(true, Ordering::Relaxed);
        for (_, request) in document.pending {
            self.client.fail(request.id, ErrorCode::ContentModified, "the document was closed".into());
        }
        for uri in document.published {
            self.publish(&uri, None, Vec::new());
        }
    }

    fn cancel(&mut self, id: &RequestId) {
        let mut found = self.jobs.cancel(id);
        for document in self.documents.values_mut() {
            let before = document.pending.len();
            document.pending.retain(|(_, request)| request.id != *id);
            found |= document.pending.len() < before;
        }
        if found {
            self.client.fail(id.clone(), ErrorCode::RequestCanceled, "cancelled".into());
        }
    }

    /// Looks at the text of a document, and at those of the documents that may import it.
    fn look(&mut self, uri: &str) {
        let texts = self
            .documents
            .values()
            .filter_map(|document| uri::to_path(&document.uri).map(|path| (path, Arc::clone(document.lines.text()))));
        let texts: BTreeMap<PathBuf, Arc<str>> = texts.collect();
        self.settings.texts = Arc::new(texts);
        let importers = |document: &Document| document.uri != uri && feature::imports(document, uri);
        let importers: Vec<String> = self
            .documents
            .values()
            .filter(|document| importers(document))
            .map(|document| document.uri.clone())
            .collect();
        for uri in std::iter::once(uri.to_owned()).chain(importers) {
            self.generation += 1;
            let Some(document) = self.documents.get_mut(&uri) else { continue };
            // Positions of these requests are those of the text before.
            for (_, request) in std::mem::take(&mut document.pending) {
                self.client.fail(request.id, ErrorCode::ContentModified, "the text has changed".into());
            }
            let task = document.task(self.generation, &self.settings);
            let _ = self.tasks.send(task);
        }
    }

    fn finding(&mut self, finding: Finding) {
        let (uri, generation) = match &finding {
            Finding::Syntax(uri, generation, _)
            | Finding::Meaning(uri, generation, _)
            | Finding::Broken(uri, generation, _) => (uri.clone(), *generation),
        };
        let Some(document) = self.documents.get_mut(&uri).filter(|document| document.generation == generation) else {
            return;
        };
        match finding {
            Finding::Syntax(_, _, syntax) => document.syntax = Some(syntax),
            Finding::Meaning(_, _, meaning) => {
                document.meaning = Some(meaning);
                self.publish_all(&uri);
            }
            Finding::Broken(_, _, reason) => {
                document
                    .syntax
                    .get_or_insert_with(|| Arc::new(analysis::Syntax::empty(document.language, &document.lines)));
                document.meaning = Some(Arc::new(analysis::Meaning::empty()));
                let message = format!("internal error while reading {}: {reason}", document.name());
                self.client.notify("window/logMessage", &json!({"type": 1, "message": message}));
            }
        }
        self.answer_pending(&uri);
    }

    fn answer_pending(&mut self, uri: &str) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        let (ready, pending) =
            std::mem::take(&mut document.pending).into_iter().partition(|(need, _)| document.knows(*need));
        document.pending = pending;
        let ready: Vec<(Need, Request)> = ready;
        let document = &self.documents[uri];
        for (_, request) in ready {
            answer(&self.client, &self.documents, document, request);
        }
    }

    /// Tells the client what is wrong with a document, and what was found out about it.
    fn publish_all(&mut self, uri: &str) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        let Some(meaning) = &document.meaning else { return };
        let mut by_file = feature::diagnostics(document, meaning);
        by_file.entry(uri.to_owned()).or_default();
        let mut before = std::mem::take(&mut document.published);
        document.published = by_file.keys().cloned().collect();
        before.retain(|uri| !by_file.contains_key(uri));
        let version = document.version;
        for (file, diagnostics) in by_file {
            let version = (file == uri).then_some(version);
            self.publish(&file, version, diagnostics);
        }
        for file in before {
            self.publish(&file, None, Vec::new());
        }
    }

    fn publish(&self, uri: &str, version: Option<i32>, diagnostics: Vec<gen_lsp_types::Diagnostic>) {
        let params = PublishDiagnosticsParams { uri: Uri(uri.to_owned()), version, diagnostics };
        self.client.notify("textDocument/publishDiagnostics", &params);
    }

    /// Starts a job.
    fn command(&mut self, Request { id, params, .. }: Request) {
        let Some(params) = read::<ExecuteCommandParams>(params) else {
            self.client.fail(id, ErrorCode::InvalidParams, "this is no command".into());
            return;
        };
        let arguments = params.arguments.unwrap_or_default();
        let argument = arguments.into_iter().next().unwrap_or_default();
        let uri = argument.get("uri").and_then(Value::as_str).unwrap_or_default();
        let Some(document) = self.documents.get(uri) else {
            self.client.fail(id, ErrorCode::InvalidParams, "there is no such document open".into());
            return;
        };
        let session = document.meaning.as_ref().and_then(|meaning| meaning.session.clone());
        let Some(session) = session else {
            let message = "the model has errors, or is still being read";
            self.client.fail(id, ErrorCode::RequestFailed, message.into());
            return;
        };
        let job = Job { id: id.clone(), uri: uri.to_owned(), generation: document.generation, session };
        if let Err(message) = self.jobs.start(&params.command, &argument, job) {
            self.client.fail(id, ErrorCode::InvalidParams, message);
        }
    }

    /// Keeps what a job has found, and answers its request.
    fn report(&mut self, report: Report) {
        let is_known = self.jobs.finish(&report.id);
        let document = self.documents.get_mut(&report.uri);
        match document.filter(|document| document.generation == report.generation) {
            Some(document) if is_known => {
                document.results.merge(report.results);
                self.publish_all(&report.uri);
                if self.lenses_refresh {
                    self.n_requests += 1;
                    let id = format!("specwright-{}", self.n_requests);
                    self.client.request(id, "workspace/codeLens/refresh", &Value::Null);
                }
                match report.answer {
                    Ok(answer) => self.client.respond(report.id, &answer),
                    Err(message) => self.client.fail(report.id, ErrorCode::RequestFailed, message),
                }
            }
            _ if is_known => {
                self.client.fail(report.id, ErrorCode::ContentModified, "the text has changed".into());
            }
            // It was cancelled, and answered then.
            _ => {}
        }
    }

    /// Ends all work.
    fn stop(&mut self) {
        self.jobs.cancel_all();
        for document in self.documents.values() {
            document.cancel.store(true, Ordering::Relaxed);
        }
    }
}

/// Parameters of a message; nothing if they are not what the protocol says.
pub(crate) fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}

/// Answers a request about a document of which enough is known.
fn answer(client: &Client, documents: &BTreeMap<String, Document>, document: &Document, request: Request) {
    let Some(syntax) = &document.syntax else { return };
    let view = View { documents, document, syntax };
    match feature::answer(&view, &request.method, &request.params) {
        Ok(result) => client.respond(request.id, &result),
        Err(message) => client.fail(request.id, ErrorCode::InvalidParams, message),
    }
}
