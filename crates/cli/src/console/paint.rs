//! Colours, and the one place through which all text goes on its way to the terminal.
//!
//! Text holds names, values and messages from elsewhere, which may hold escape sequences. So colours are not written as
//! such sequences but as characters that Unicode reserves for internal use. On the way out these become colours, and
//! everything else that would act on the terminal becomes visible.

use anstyle::{AnsiColor, Style};
use specwright::syntax::escape::is_harmful;
use std::borrow::Cow;
use std::fmt::{self, Display, Write};

/// A colour: `{GOOD}` starts it, `{GOOD:#}` ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    Good,
    Bad,
    Unsure,
    Heading,
    Quiet,
}

/// Noncharacters: each paint has its own, and one ends them all.
const PAINTS: [(char, Paint); 5] = [
    ('\u{fdd0}', Paint::Good),
    ('\u{fdd1}', Paint::Bad),
    ('\u{fdd2}', Paint::Unsure),
    ('\u{fdd3}', Paint::Heading),
    ('\u{fdd4}', Paint::Quiet),
];
const END: char = '\u{fdd5}';

impl Paint {
    /// The same as an escape sequence.
    pub fn style(self) -> Style {
        match self {
            Paint::Good => AnsiColor::Green.on_default().bold(),
            Paint::Bad => AnsiColor::Red.on_default().bold(),
            Paint::Unsure => AnsiColor::Yellow.on_default().bold(),
            Paint::Heading => Style::new().bold(),
            Paint::Quiet => Style::new().dimmed(),
        }
    }
}

impl Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = PAINTS.iter().find(|(_, paint)| paint == self).map_or(END, |(mark, _)| *mark);
        f.write_char(if f.alternate() { END } else { start })
    }
}

/// Text for a terminal: colours as escape sequences, if they are wanted, and nothing else that acts on it.
pub fn clean(text: &str, styled: bool) -> Cow<'_, str> {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t'));
    if is_plain || !text.contains(acts) {
        return text.into();
    }
    let mut cleaned = String::with_capacity(text.len() + 64);
    for c in text.chars() {
        let paint = PAINTS.iter().find(|(mark, _)| *mark == c);
        let _ = match paint {
            Some((_, paint)) if styled => write!(cleaned, "{}", paint.style()),
            None if c == END && styled => write!(cleaned, "{}", anstyle::Reset),
            Some(_) => Ok(()),
            None if c == END => Ok(()),
            None => push(&mut cleaned, c),
        };
    }
    cleaned.into()
}

/// The same for the work of a renderer, whose colours are escape sequences already. What it was given holds none.
pub fn clean_rendered(text: &str) -> Cow<'_, str> {
    if !text.contains(acts) {
        return text.into();
    }
    let mut cleaned = String::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let colour = rest.strip_prefix("\u{1b}[").and_then(|inner| {
            let end = inner.find(|c: char| !c.is_ascii_digit() && c != ';')?;
            inner[end..].starts_with('m').then_some("\u{1b}[".len() + end + 1)
        });
        let length = colour.unwrap_or(c.len_utf8());
        if colour.is_some() {
            cleaned.push_str(&rest[..length]);
        } else {
            let _ = push(&mut cleaned, c);
        }
        rest = &rest[length..];
    }
    cleaned.into()
}

fn acts(c: char) -> bool {
    is_harmful(c) && !matches!(c, '\n' | '\t')
}

fn push(text: &mut String, c: char) -> fmt::Result {
    if acts(c) { write!(text, "\\u{{{:x}}}", u32::from(c)) } else { text.write_char(c) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_kept_and_what_comes_from_elsewhere_is_shown() {
        let name = "x\u{1b}]0;title\u{7}\u{1b}[31m\u{202e}\r\u{9b}2J";
        let text = format!("{}fails{:#}  {name}\n", Paint::Bad, Paint::Bad);
        let shown = r"x\u{1b}]0;title\u{7}\u{1b}[31m\u{202e}\u{d}\u{9b}2J";
        assert_eq!(clean(&text, false), format!("fails  {shown}\n"));
        assert_eq!(clean(&text, true), format!("\u{1b}[1m\u{1b}[31mfails\u{1b}[0m  {shown}\n"));
    }

    #[test]
    fn a_renderer_keeps_its_colours_and_nothing_else() {
        let text = "\u{1b}[1m\u{1b}[38;5;9merror\u{1b}[0m: \u{1b}[2J\u{1b}]52;c;x\u{7}\u{202e}\n";
        let shown = "\u{1b}[1m\u{1b}[38;5;9merror\u{1b}[0m: \\u{1b}[2J\\u{1b}]52;c;x\\u{7}\\u{202e}\n";
        assert_eq!(clean_rendered(text), shown);
    }
}
