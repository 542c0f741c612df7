//! Hints beside the text: parameters of calls, and the ranges of named expressions.

use super::{View, markdown};
use crate::lexis;
use gen_lsp_types::{InlayHint, InlayHintKind, ParameterInformation, Range, SignatureHelp, SignatureInformation};
use specwright::words::domain_text;

/// The parameters of the call at a place.
pub(super) fn signature(view: &View<'_>, offset: usize) -> Option<SignatureHelp> {
    let text = view.syntax.lines[0].text();
    let index = &view.syntax.index;
    let tokens: Vec<&lexis::Token> =
        view.syntax.tokens.iter().filter(|token| token.kind != lexis::Kind::Comment && token.end <= offset).collect();
    // Back to the bracket that is open here.
    let (mut depth, mut active) = (0_usize, 0);
    let mut at = tokens.len();
    loop {
        at = at.checked_sub(1)?;
        match &text[tokens[at].start..tokens[at].end] {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" if depth > 0 => depth -= 1,
            "(" | "[" => break,
            "," if depth == 0 => active += 1,
            ";" if depth == 0 => return None,
            _ => {}
        }
    }
    let name = tokens[at.checked_sub(1)?];
    let name = &text[name.start..name.end];
    let symbol = index
        .visible(offset as u32)
        .into_iter()
        .map(|id| &index[id])
        .find(|symbol| symbol.name == name && !symbol.params.is_empty());
    let (label, params, word) = if let Some(symbol) = symbol {
        let params: Vec<String> = symbol.params.iter().map(|span| view.syntax.text(*span).to_owned()).collect();
        (format!("{name}({})", params.join(", ")), params, symbol.word.to_owned())
    } else {
        let (params, explanation) = crate::vocabulary::signature(view.syntax.language, name)?;
        let params: Vec<String> = params.iter().map(|param| (*param).to_owned()).collect();
        (format!("{name}({})", params.join(", ")), params, explanation.to_owned())
    };
    let parameters =
        params.into_iter().map(|label| ParameterInformation { label: label.into(), documentation: None }).collect();
    let information = SignatureInformation {
        label,
        documentation: Some(markdown(word).into()),
        parameters: Some(parameters),
        active_parameter: Some(active.into()),
    };
    Some(SignatureHelp {
        signatures: vec![information],
        active_signature: Some(0),
        active_parameter: Some(active.into()),
    })
}

/// The hints in a range: names of parameters before arguments, ranges behind the names of defines.
pub(super) fn inlay(view: &View<'_>, range: Range) -> Vec<InlayHint> {
    let (index, lines) = (&view.syntax.index, &view.syntax.lines[0]);
    let mut hints = Vec::new();
    let mut hint = |offset: usize, label: String, kind: InlayHintKind| {
        let position = lines.position(offset);
        if (range.start.line..=range.end.line).contains(&position.line) {
            hints.push(InlayHint {
                position,
                label: label.into(),
                kind: Some(kind),
                text_edits: None,
                tooltip: None,
                padding_left: None,
                padding_right: Some(kind == InlayHintKind::Parameter),
                data: None,
            });
        }
    };
    for call in &index.calls {
        for (param, argument) in index[call.symbol].params.iter().zip(&call.arguments) {
            let (param, text) = (view.syntax.text(*param), view.syntax.text(*argument));
            let name = param.split_whitespace().next().unwrap_or(param);
            if let Some((0, start, _)) = view.syntax.locate(*argument).filter(|_| name != text) {
                hint(start, format!("{name}:"), InlayHintKind::Parameter);
            }
        }
    }
    let Some(session) = view.session() else { return hints };
    let model = &session.model;
    for symbol in index.symbols.iter().filter(|symbol| symbol.kind == crate::index::Kind::Define) {
        let Some(span) = symbol.definitions.first() else { continue };
        let is_own = |define: &specwright::model::model::Define| {
            define.span.is_some() && span.start >= define.span.start && span.end <= define.span.end
        };
        let mut domains: Vec<String> = Vec::new();
        for (_, define) in model.defines().filter(|(_, define)| is_own(define)) {
            if let Some(domain) = model.domain_of(define.body.expr) {
                let text = domain_text(model, &domain);
                if !domains.contains(&text) {
                    domains.push(text);
                }
            }
        }
        // Instances may differ: then there is no one range to show.
        if let ([text], Some((0, _, end))) = (domains.as_slice(), view.syntax.locate(*span))
            && text.chars().count() <= 40
        {
            hint(end, format!(": {text}"), InlayHintKind::Type);
        }
    }
    hints
}
