//! Formatter: aligns columns and separates sections, and changes nothing else.

use super::lines::{Line, LineKind, Section, cells, is_boxed, lines};
use crate::columns::{MAX_PADDING, left, width};

/// Indentation of the lines of a section.
const INDENT: &str = "  ";

/// Formats a specification. Comments, empty lines and the order of declarations are kept.
pub fn format(text: &str) -> String {
    let lines = lines(text);
    let mut out = Vec::new();
    let mut at = 0;
    // Only comments come before the first section.
    let mut section = None;
    while at < lines.len() {
        if let LineKind::Start(start, keyword) = lines[at].kind {
            section = Some(start);
            separate(&mut out);
            out.push(with_comment(heading(&lines[at], start, keyword), &lines[at]));
            at += 1;
        }
        let end = lines[at..].iter().position(|line| matches!(line.kind, LineKind::Start(..)));
        let end = end.map_or(lines.len(), |length| at + length);
        let body = &lines[at..end];
        match section {
            Some(Section::Table(_)) => table(body, &mut out),
            Some(Section::Constants) => aligned(body, '=', &mut out),
            Some(_) => aligned(body, ':', &mut out),
            None => body.iter().for_each(|line| out.push(with_comment(line.text.to_owned(), line))),
        }
        at = end;
    }
    finish(out)
}

/// Puts one empty line before a section and the comments that belong to it.
fn separate(out: &mut Vec<String>) {
    let comments = out.iter().rev().take_while(|line| line.trim_start().starts_with("--")).count();
    let at = out.len() - comments;
    for line in &mut out[at..] {
        *line = line.trim_start().to_owned();
    }
    if at > 0 && !out[at - 1].is_empty() {
        out.insert(at, String::new());
    }
}

/// Removes repeated and leading empty lines; ends the text with one newline.
fn finish(out: Vec<String>) -> String {
    let mut text = String::new();
    let mut empty = true;
    for line in out {
        let line = line.trim_end();
        if line.is_empty() && empty {
            continue;
        }
        empty = line.is_empty();
        text.push_str(line);
        text.push('\n');
    }
    let end = text.trim_end().len();
    text.truncate(end);
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn with_comment(text: String, line: &Line<'_>) -> String {
    match (text.trim().is_empty(), line.comment.is_empty()) {
        (_, true) => text,
        (true, false) => format!("{text}{}", line.comment),
        (false, false) => format!("{}  {}", text.trim_end(), line.comment),
    }
}

fn heading(line: &Line<'_>, section: Section, keyword: usize) -> String {
    let word = line.text[..keyword].to_lowercase();
    let word = word.split_whitespace().collect::<Vec<_>>().join(" ");
    let rest = squeeze(&line.text[keyword..]);
    let rest = if matches!(section, Section::Table(_)) { rest } else { rest.trim_start_matches(':').trim().to_owned() };
    if rest.is_empty() { word } else { format!("{word} {rest}") }
}

/// Replaces runs of spaces by single spaces.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Aligns the signs of `name : type` in blocks of lines without an empty line between them.
fn aligned(body: &[Line<'_>], sign: char, out: &mut Vec<String>) {
    let name = |line: &Line<'_>| {
        let (name, rest) = line.text.split_once(sign)?;
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c.is_whitespace() || matches!(c, '_' | ','));
        (is_name && !name.trim().is_empty()).then(|| (squeeze(name), squeeze(rest)))
    };
    for group in body.split_inclusive(|line| line.kind == LineKind::Blank && line.comment.is_empty()) {
        let names = group.iter().filter(|line| line.kind == LineKind::Part).filter_map(name);
        let column = names.map(|(name, _)| width(&name)).max().unwrap_or(0).min(MAX_PADDING);
        // Continuation lines are indented further.
        let mut open = false;
        for line in group {
            if line.kind != LineKind::Part {
                let indent = if line.comment.is_empty() { "" } else { INDENT };
                out.push(with_comment(indent.to_owned(), line));
                continue;
            }
            let text = match name(line).filter(|_| !open) {
                Some((name, rest)) => format!("{INDENT}{} {sign} {rest}", left(&name, column)),
                None if open || goes_on(line.text) => format!("{INDENT}{INDENT}{}", squeeze(line.text)),
                None => format!("{INDENT}{}", squeeze(line.text)),
            };
            let brackets = line.text.chars().map(|c| i32::from("([{".contains(c)) - i32::from(")]}".contains(c)));
            open = brackets.sum::<i32>() > 0 || (open && line.text.ends_with(','));
            out.push(with_comment(text, line));
        }
    }
}

fn goes_on(text: &str) -> bool {
    let first = text.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    ["=>", "<=>", "->", "<->", "&", "AND", "OR", "XOR", "WHEN", "WHERE", "WHILE"].contains(&first)
        || ["and", "or", "xor", "when", "where", "while"].contains(&first)
}

/// Aligns the columns of a table.
fn table(body: &[Line<'_>], out: &mut Vec<String>) {
    let rows = || body.iter().filter(|line| line.kind == LineKind::Part);
    let boxed = rows().next().is_some_and(|line| is_boxed(line.text));
    let row = |line: &Line<'_>| cells(line.text, boxed).into_iter().map(|(_, text)| squeeze(text)).collect::<Vec<_>>();
    let mut widths: Vec<usize> = Vec::new();
    for line in rows() {
        for (column, cell) in row(line).iter().enumerate() {
            let width = width(cell).min(MAX_PADDING);
            match widths.get_mut(column) {
                Some(widest) => *widest = width.max(*widest),
                None => widths.push(width),
            }
        }
    }
    let (start, end) = if boxed { ("| ", " |") } else { ("", "") };
    for line in body {
        let text = match line.kind {
            LineKind::Part => {
                let cells = row(line);
                let padded = cells.iter().zip(&widths).map(|(cell, width)| left(cell, *width));
                format!("{INDENT}{start}{}{end}", padded.collect::<Vec<_>>().join(" | "))
            }
            LineKind::Rule => {
                let dashes = widths.iter().map(|width| "-".repeat(*width)).collect::<Vec<_>>().join("-|-");
                if boxed { format!("{INDENT}|-{dashes}-|") } else { format!("{INDENT}{dashes}") }
            }
            _ if line.comment.is_empty() => String::new(),
            _ => INDENT.to_owned(),
        };
        out.push(with_comment(text, line));
    }
}

#[cfg(test)]
mod tests {
    use super::format;

    #[test]
    fn columns_are_aligned() {
        let text = "-- A pump.\nMonitored\nLow:boolean -- sensor\n  Pressure , Flow :  0..9\n\n\n\nmode  table Pump\nFrom|Event|To\n---|--|-\nOff | @T(Low)   WHEN  Flow = 0|On -- start\n  |@F(Low)|\n";
        let wanted = "\
-- A pump.
monitored
  Low             : boolean  -- sensor
  Pressure , Flow : 0..9

mode table Pump
  From | Event                 | To
  -----|-----------------------|---
  Off  | @T(Low) WHEN Flow = 0 | On  -- start
       | @F(Low)               |
";
        assert_eq!(format(text), wanted);
        assert_eq!(format(wanted), wanted, "it is laid out already");
    }

    #[test]
    fn every_white_space_separates_words() {
        for space in ["\t", "\u{b}", "\u{a0}", "\u{2003}", " \u{b} "] {
            let text = format!("types\n  T : {{A, B}}\nmonitored{space}x\nmode{space}table{space}P\n");
            let wanted = "types\n  T : {A, B}\n\nmonitored x\n\nmode table P\n";
            assert_eq!((format(&text), format(wanted)), (wanted.to_owned(), wanted.to_owned()), "{space:?}");
        }
    }

    #[test]
    fn continuation_lines_are_indented_further() {
        let text = "properties\nsafe : a\n=> b\nother : (a AND\nb)\nc\n";
        let wanted = "properties\n  safe  : a\n    => b\n  other : (a AND\n    b)\n  c\n";
        assert_eq!(format(text), wanted);
        assert_eq!(format(wanted), wanted);
    }
}
