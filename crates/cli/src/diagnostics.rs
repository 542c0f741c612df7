//! Diagnostics as people read them, in the look that rustc has made familiar.
//!
//! The interface to `annotate-snippets` is localized here. It is handed short excerpts, never whole files, so that
//! neither a line of ten megabytes nor thousands of diagnostics hurt.

mod excerpt;

use crate::console::Console;
use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level, Patch, Renderer, Snippet};
use excerpt::Excerpt;
use specwright::syntax::diagnostic::{Diagnostic, Label, Severity, Suggestion};
use specwright::syntax::escape::{escape, is_harmful};
use specwright::syntax::span::{SourceFile, SourceMap};
pub use specwright::words::count;
use std::borrow::Cow;

/// Diagnostics that are shown without `--verbose`.
const SHOWN: usize = 50;

/// Labels further apart than this, in lines, are shown as separate excerpts.
const FAR_APART: usize = 60;

/// Prints diagnostics to stderr and says how many there were.
pub fn report(console: &mut Console, sources: &SourceMap, diagnostics: &[Diagnostic]) {
    let renderer = if console.colors_errors() { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(Console::error_width().max(60));
    let wanted = |diagnostic: &&Diagnostic| diagnostic.is_error() || !console.quiet();
    let limit = if console.verbose() { usize::MAX } else { SHOWN };

    // Errors first when not all can be shown: a flood of warnings must not hide the reason to stop.
    let mut shown: Vec<&Diagnostic> = diagnostics.iter().filter(wanted).collect();
    let hidden = shown.len().saturating_sub(limit);
    if hidden > 0 {
        shown.sort_by_key(|diagnostic| diagnostic.severity);
        shown.truncate(limit);
    }
    let rendered: Vec<String> = shown.iter().map(|diagnostic| render(&renderer, sources, diagnostic)).collect();
    for text in rendered {
        console.rendered(&format!("{text}\n\n"));
    }
    if hidden > 0 {
        console.note(format_args!("{hidden} more are not shown; `--verbose` shows all\n"));
    }

    let n_errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    if n_errors > 0 {
        let n_warnings = diagnostics.len() - n_errors;
        let names = sources.files().iter().map(|file| file.name.as_str()).collect::<Vec<_>>().join(", ");
        let warnings = if n_warnings > 0 { format!(" and {}", count(n_warnings, "warning")) } else { String::new() };
        let has = if sources.files().len() == 1 { "has" } else { "have" };
        console.error(format_args!("{names} {has} {}{warnings}", count(n_errors, "error")));
    }
    if let Some(first) = shown.first() {
        console.note(format_args!("run `specwright explain {}` for details", first.code.0));
    }
}

/// Diagnostics without colour, one after the other.
pub fn plain(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let renderer = Renderer::plain();
    let texts: Vec<String> = diagnostics.iter().map(|diagnostic| render(&renderer, sources, diagnostic)).collect();
    texts.join("\n\n")
}

/// One diagnostic, without a final newline.
fn render(renderer: &Renderer, sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut main = Group::with_title(level.primary_title(clean(&diagnostic.message)).id(diagnostic.code.0));
    main = main.elements(causes(sources, diagnostic));
    main = main.elements(diagnostic.notes.iter().map(|note| Level::NOTE.message(clean(note))));
    main = main.elements(diagnostic.help.iter().map(|help| Level::HELP.message(clean(help))));
    let mut groups = vec![main];
    groups.extend(diagnostic.suggestions.iter().filter_map(|suggestion| patch(sources, suggestion)));
    with_true_place(renderer.render(&groups), sources, diagnostic)
}

/// A message quotes the source, and the source may hold anything: nothing in it commands the terminal.
fn clean(text: &str) -> Cow<'_, str> {
    escape(text, |c| is_harmful(c) && c != '\n')
}

/// In an excerpt of a long line the renderer counts columns from where the excerpt starts: puts the true place.
fn with_true_place(rendered: String, sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let Some((file, line, column)) = sources.locate(diagnostic.primary.span) else { return rendered };
    if !excerpt::starts_late(file, diagnostic.primary.span) {
        return rendered;
    }
    let name = format!("{}:", clean(&file.name));
    let Some(start) = rendered.find("--> ").and_then(|arrow| Some(arrow + rendered[arrow..].find(&name)? + name.len()))
    else {
        return rendered;
    };
    let rest = rendered[start..].trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
    format!("{}{line}:{column}{rest}", &rendered[..start])
}

/// The places of a diagnostic: first the excerpt with the primary one, then what is too far away to be in it.
fn causes<'a>(sources: &SourceMap, diagnostic: &'a Diagnostic) -> Vec<Element<'a>> {
    let Some((file, line, _)) = sources.locate(diagnostic.primary.span) else { return Vec::new() };
    let mut near = vec![&diagnostic.primary];
    let mut far: Vec<(&SourceFile, Vec<&Label>)> = Vec::new();
    for label in &diagnostic.secondary {
        let Some((other, other_line, _)) = sources.locate(label.span) else { continue };
        let last_of_far = far.last_mut().filter(|(file, labels)| {
            let before = labels[labels.len() - 1].span.start;
            file.start == other.start && file.line_column(before).0.abs_diff(other_line) <= FAR_APART
        });
        if other.start == file.start && other_line.abs_diff(line) <= FAR_APART {
            near.push(label);
        } else if let Some((_, labels)) = last_of_far {
            labels.push(label);
        } else {
            far.push((other, vec![label]));
        }
    }
    let near = snippet(file, &near, AnnotationKind::Primary);
    let far = far.iter().map(|(file, labels)| snippet(file, labels, AnnotationKind::Context));
    std::iter::once(near).chain(far).map(Element::from).collect()
}

/// An excerpt with its labels; the first is of the given kind, the others give context.
fn snippet<'a>(file: &SourceFile, labels: &[&'a Label], first: AnnotationKind) -> Snippet<'a, Annotation<'a>> {
    let spans: Vec<_> = labels.iter().map(|label| label.span).collect();
    let Excerpt { text, first_line, ranges } = excerpt::excerpt(file, &spans);
    let annotations = labels.iter().zip(ranges).enumerate().map(|(index, (label, range))| {
        let kind = if index == 0 { first } else { AnnotationKind::Context };
        kind.span(range).label((!label.text.is_empty()).then(|| clean(&label.text)))
    });
    Snippet::source(text).line_start(first_line).path(clean(&file.name).into_owned()).annotations(annotations)
}

/// A suggestion, as a change of the line it is about.
fn patch<'a>(sources: &SourceMap, suggestion: &'a Suggestion) -> Option<Group<'a>> {
    let (file, ..) = sources.locate(suggestion.span)?;
    let Excerpt { text, first_line, ranges } = excerpt::excerpt(file, &[suggestion.span]);
    let title = Level::HELP.secondary_title(clean(&suggestion.message));
    let patch = Patch::new(ranges[0].clone(), clean(&suggestion.replacement));
    Some(title.element(Snippet::source(text).line_start(first_line).patch(patch)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use specwright::syntax::diagnostic::Code;
    use specwright::syntax::span::Span;

    /// Renders an error at the first `«…»` of the text; further ones become labels.
    fn rendered(marked: &str, build: impl FnOnce(Diagnostic, &[Span]) -> Diagnostic) -> String {
        let (mut text, mut spans) = (String::new(), Vec::new());
        for part in marked.split('«') {
            let (inside, outside) = part.split_once('»').unwrap_or(("", part));
            if part.contains('»') {
                spans.push(Span::new(text.len() as u32, (text.len() + inside.len()) as u32));
            }
            text.push_str(inside);
            text.push_str(outside);
        }
        let mut sources = SourceMap::default();
        sources.add("pump.smv", text).unwrap();
        let diagnostic = build(Diagnostic::error(Code("SMV012"), spans[0], "unknown symbol `of`"), &spans);
        render(&Renderer::plain().term_width(100), &sources, &diagnostic)
    }

    #[test]
    fn labels_notes_help_and_suggestions_look_like_rustc() {
        let text = "MODULE main\nVAR\n  pump : «{off, on}»;\nASSIGN\n  init(pump) := «of»;\n";
        let actual = rendered(text, |_, spans| {
            Diagnostic::error(Code("SMV012"), spans[1], "unknown symbol `of`")
                .label("not a value of `pump`")
                .also(spans[0], "`pump` is declared here")
                .note("its values are `off` and `on`")
                .help("declare it")
                .suggest("a value with a similar name exists", spans[1], "off")
        });
        let expected = "\
error[SMV012]: unknown symbol `of`
 --> pump.smv:5:17
  |
3 |   pump : {off, on};
  |          --------- `pump` is declared here
4 | ASSIGN
5 |   init(pump) := of;
  |                 ^^ not a value of `pump`
  |
  = note: its values are `off` and `on`
  = help: declare it
help: a value with a similar name exists
  |
5 |   init(pump) := off;
  |                   +";
        assert_eq!(actual, expected, "\n{actual}");
    }

    #[test]
    fn the_end_of_the_file_is_shown_at_its_last_text() {
        for (text, place) in [("MODULE main\n\n\n«»", "1:12"), ("«»", "1:1"), ("\n«»", "1:1"), ("x\r\n«»", "1:2")]
        {
            let actual = rendered(text, |diagnostic, _| diagnostic.label("expected more"));
            assert!(actual.contains(&format!("pump.smv:{place}\n")), "{text:?}\n{actual}");
            assert!(actual.contains("^ expected more"), "{text:?}\n{actual}");
        }
    }

    #[test]
    fn tabs_and_carriage_returns_do_not_shift_the_marks() {
        let actual = rendered("VAR\r\n\tpump : «of»;\r\n", |diagnostic, _| diagnostic.label("here"));
        let expected = "\
error[SMV012]: unknown symbol `of`
 --> pump.smv:2:9
  |
2 |     pump : of;
  |            ^^ here";
        assert_eq!(actual, expected, "\n{actual}");
    }

    #[test]
    fn long_lines_are_clipped_around_the_place() {
        let long = "é(".repeat(1_000_000);
        let actual = rendered(&format!("{long}«of»{long}"), |diagnostic, spans| {
            diagnostic.label("here").suggest("say", spans[0], "off")
        });
        assert!(actual.contains("pump.smv:1:2000001\n"), "the place is the true one: {}", &actual[..200]);
        assert!(actual.contains("^^ here"));
        assert!(actual.len() < 2_000, "{} bytes", actual.len());
    }

    #[test]
    fn labels_far_apart_are_shown_apart() {
        let far = "\n".repeat(100_000);
        let actual = rendered(&format!("«of»{far}«x»\n"), |diagnostic, spans| {
            diagnostic.label("here").also(spans[1], "and there")
        });
        assert!(actual.contains("pump.smv:1:1\n") && actual.contains("pump.smv:100001:1\n"), "\n{actual}");
        assert!(actual.lines().count() < 20, "\n{actual}");
    }

    #[test]
    fn a_span_over_many_lines_shows_where_it_starts() {
        let inner = "x\n".repeat(5_000);
        let actual = rendered(&format!("«case\n{inner}esac»\n"), |diagnostic, _| diagnostic.label("never ends"));
        assert!(actual.lines().count() < 12, "\n{actual}");
        assert!(actual.contains("1 |") && actual.contains("case"), "\n{actual}");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let actual = rendered("a \u{1b}[31m «\u{1b}»\u{0} b\n", |diagnostic, _| diagnostic.label("\u{1b}[2J"));
        assert!(!actual.contains('\u{1b}') && !actual.contains('\0'), "{actual:?}");
    }

    #[test]
    fn what_has_no_place_is_still_said() {
        let mut sources = SourceMap::default();
        sources.add("pump.smv", "x").unwrap();
        let diagnostic = Diagnostic::warning(Code("SMV100"), Span::NONE, "nothing happens").note("really");
        let actual = render(&Renderer::plain(), &sources, &diagnostic);
        assert_eq!(actual, "warning[SMV100]: nothing happens\n |\n = note: really");
    }
}
