//! What editors ask for, one file for each kind of question.

mod actions;
mod completion;
mod diagnostics;
mod format;
mod hints;
mod hover;
mod importers;
mod lenses;
mod navigate;
mod rename;
mod structure;

use crate::analysis::Syntax;
use crate::document::{Document, Need};
use crate::jobs;
use crate::lexis::Language;
use crate::server::read;
use crate::uri;
pub(crate) use diagnostics::{diagnostics, plain};
use gen_lsp_types::{
    CodeActionKind, CodeActionOptions, CodeLensOptions, CompletionOptions, ExecuteCommandOptions, Full,
    InitializeResult, Location, MarkupContent, MarkupKind, Position, Range, RenameOptions, SemanticTokensLegend,
    SemanticTokensOptions, ServerCapabilities, ServerInfo, SignatureHelpOptions, TextDocumentSyncKind,
    TextDocumentSyncOptions, Uri,
};
use serde::Deserialize;
use serde_json::Value;
use specwright::Session;
use specwright::syntax::span::Span;
use std::collections::BTreeMap;
use std::path::Path;

/// A document of which enough is known, among the others.
pub(crate) struct View<'a> {
    /// All open documents.
    pub(crate) documents: &'a BTreeMap<String, Document>,
    /// The document.
    pub(crate) document: &'a Document,
    /// Its symbols.
    pub(crate) syntax: &'a Syntax,
}

impl View<'_> {
    /// The model of this text, if it is known.
    fn session(&self) -> Option<&Session> {
        self.document.meaning.as_ref()?.session.as_deref()
    }

    /// The dialect in which the document is read.
    fn dialect(&self) -> specwright::frontend::Dialect {
        self.document.dialect
    }

    /// The place of a span, in whichever file it lies.
    fn location(&self, span: Span) -> Option<Location> {
        let (file, start, end) = self.syntax.locate(span)?;
        let uri = if file == 0 { self.document.uri.clone() } else { file_uri(&self.syntax.sources.files()[file].name) };
        Some(Location { uri: Uri(uri), range: self.syntax.lines[file].range(start, end) })
    }

    /// The range of a span of the document itself.
    fn range(&self, span: Span) -> Option<Range> {
        self.syntax
            .locate(span)
            .filter(|(file, ..)| *file == 0)
            .map(|(_, start, end)| self.syntax.lines[0].range(start, end))
    }

    /// The byte offset of a position in the document, which is its place on the number line of all files.
    fn offset(&self, position: Position) -> usize {
        self.syntax.lines[0].offset(position)
    }
}

/// The address of a file, by its name.
fn file_uri(name: &str) -> String {
    uri::from_path(Path::new(name))
}

/// Markdown.
fn markdown(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}

/// The parameters of requests about a place.
#[derive(Deserialize)]
struct At {
    position: Position,
}

/// The parameters of requests about a range.
#[derive(Deserialize)]
struct Within {
    range: Range,
}

/// What a request needs to know; nothing if there is no such request.
pub(crate) fn need(method: &str) -> Option<Need> {
    Some(match method.strip_prefix("textDocument/")? {
        "definition"
        | "references"
        | "documentHighlight"
        | "prepareRename"
        | "rename"
        | "completion"
        | "documentSymbol"
        | "semanticTokens/full"
        | "foldingRange"
        | "formatting"
        | "signatureHelp" => Need::Syntax,
        "hover" | "codeAction" | "inlayHint" | "codeLens" => Need::Meaning,
        _ => return None,
    })
}

/// The answer to a request.
pub(crate) fn answer(view: &View<'_>, method: &str, params: &Value) -> Result<Value, String> {
    let method = method.strip_prefix("textDocument/").unwrap_or(method);
    let strange = || "the parameters are not those of the protocol".to_owned();
    let at = |params: &Value| read::<At>(params.clone()).map(|at| view.offset(at.position)).ok_or_else(strange);
    let within = |params: &Value| read::<Within>(params.clone()).map(|within| within.range).ok_or_else(strange);
    let widened = if matches!(method, "references" | "rename") { importers::widened(view) } else { None };
    let wide = || View { syntax: widened.as_ref().unwrap_or(view.syntax), ..*view };
    match method {
        "definition" => json(navigate::definition(view, at(params)?)),
        "references" => {
            let declared = params.pointer("/context/includeDeclaration").and_then(Value::as_bool).unwrap_or(true);
            json(navigate::references(&wide(), at(params)?, declared))
        }
        "documentHighlight" => json(navigate::highlights(view, at(params)?)),
        "prepareRename" => json(rename::prepare(view, at(params)?)),
        "rename" => {
            let name = params.get("newName").and_then(Value::as_str).ok_or_else(strange)?;
            json(rename::rename(&wide(), at(params)?, name)?)
        }
        "completion" => json(completion::completion(view, at(params)?)),
        "signatureHelp" => json(hints::signature(view, at(params)?)),
        "hover" => json(hover::hover(view, at(params)?)),
        "documentSymbol" => json(structure::symbols(view)),
        "semanticTokens/full" => json(structure::tokens(view)),
        "foldingRange" => json(structure::folds(view)),
        "formatting" => json(format::format(view)),
        "codeAction" => json(actions::actions(view, within(params)?)),
        "inlayHint" => json(hints::inlay(view, within(params)?)),
        "codeLens" => json(lenses::lenses(view)),
        _ => Err(format!("`{method}` is not supported")),
    }
}

fn json(value: impl serde::Serialize) -> Result<Value, String> {
    serde_json::to_value(value).map_err(|error| error.to_string())
}

/// Whether a document imports another one, as far as its text says.
pub(crate) fn imports(document: &Document, other: &str) -> bool {
    let stem = uri::file_name(other);
    let stem = stem.strip_suffix(".asm").unwrap_or(&stem);
    let is_import = |line: &str| line.trim_start().starts_with("import") && line.contains(stem);
    document.language == Language::Asm && document.lines.text().lines().any(is_import)
}

/// What the server can do.
pub(crate) fn capabilities() -> InitializeResult {
    let text = |texts: &[&str]| Some(texts.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>());
    let capabilities = ServerCapabilities {
        text_document_sync: Some(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::Incremental),
                ..TextDocumentSyncOptions::default()
            }
            .into(),
        ),
        completion_provider: Some(CompletionOptions {
            trigger_characters: text(&[".", "$", "@"]),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(true.into()),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: text(&["(", "[", ","]),
            ..SignatureHelpOptions::default()
        }),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        code_action_provider: Some(
            CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QuickFix]),
                ..CodeActionOptions::default()
            }
            .into(),
        ),
        code_lens_provider: Some(CodeLensOptions::default()),
        document_formatting_provider: Some(true.into()),
        rename_provider: Some(RenameOptions { prepare_provider: Some(true), ..RenameOptions::default() }.into()),
        folding_range_provider: Some(true.into()),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: jobs::commands(),
            ..ExecuteCommandOptions::default()
        }),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: SemanticTokensLegend {
                    token_types: text(&structure::TOKEN_TYPES).unwrap_or_default(),
                    token_modifiers: text(&structure::TOKEN_MODIFIERS).unwrap_or_default(),
                },
                full: Some(Full::Bool(true)),
                ..SemanticTokensOptions::default()
            }
            .into(),
        ),
        inlay_hint_provider: Some(true.into()),
        ..ServerCapabilities::default()
    };
    let server_info = ServerInfo { name: "specwright".into(), version: Some(env!("CARGO_PKG_VERSION").into()) };
    InitializeResult { capabilities, server_info: Some(server_info) }
}
