//! The few lines of a file that a diagnostic is about, cut down to what fits on a screen.

use specwright::syntax::span::{SourceFile, Span};
use std::ops::Range;

/// Lines longer than this, in bytes, are cut around the places in them.
const LONG_LINE: usize = 400;
/// So much is kept on either side of a place in a long line.
const AROUND: usize = 120;
/// A place that spans more lines than this is shown by its first line.
const TALL: usize = 40;

/// Some lines of a file, and where the places in question are in them.
pub(super) struct Excerpt {
    /// The lines, without carriage returns.
    pub(super) text: String,
    /// The number of the first line, counted from 1.
    pub(super) first_line: usize,
    /// The places, as ranges of bytes of the text.
    pub(super) ranges: Vec<Range<usize>>,
}

/// The lines from the first to the last of the given places, which must lie in the file.
pub(super) fn excerpt(file: &SourceFile, spans: &[Span]) -> Excerpt {
    let places: Vec<Range<usize>> = spans.iter().map(|span| place(file, *span)).collect();
    let start = places.iter().map(|place| place.start).min().unwrap_or(0);
    let end = places.iter().map(|place| place.end).max().unwrap_or(0);
    let start = file.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = file.text[end..].find('\n').map_or(file.text.len(), |newline| end + newline);

    let mut text = String::new();
    let mut kept: Vec<(Range<usize>, usize)> = Vec::new(); // ranges of the file, and where they went
    let mut line_start = start;
    for line in file.text[start..end].split('\n') {
        if line_start > start {
            text.push('\n');
        }
        let content = line_start..line_start + line.trim_end_matches('\r').len();
        let window = window(file, &content, &places);
        let dots = |cut: bool| if cut { "…" } else { "" };
        text.push_str(dots(window.start > content.start));
        kept.push((window.clone(), text.len()));
        text.push_str(&file.text[window.clone()]);
        text.push_str(dots(window.end < content.end));
        line_start += line.len() + 1;
    }
    // What was cut away is shown at the nearest thing that was kept.
    let moved = |at: usize| {
        let (window, to) = &kept[kept.partition_point(|(window, _)| window.start <= at).max(1) - 1];
        to + at.clamp(window.start, window.end) - window.start
    };
    let ranges = places.iter().map(|place| moved(place.start)..moved(place.end)).collect();
    let first_line = file.line_column(file.start + start as u32).0;
    Excerpt { text, first_line, ranges }
}

/// Whether the line in which a span starts is cut before it, so that columns do not count from its true start.
pub(super) fn starts_late(file: &SourceFile, span: Span) -> bool {
    let place = place(file, span);
    let start = file.text[..place.start].rfind('\n').map_or(0, |newline| newline + 1);
    place.start - start > AROUND
        && file.text[place.start..].find('\n').map_or(file.text.len(), |end| place.start + end) - start > LONG_LINE
}

/// A span as a range of bytes of its file, with nothing but characters that can be seen at its ends.
fn place(file: &SourceFile, span: Span) -> Range<usize> {
    let text = &*file.text;
    let offset =
        |position: u32| text.floor_char_boundary((position.saturating_sub(file.start) as usize).min(text.len()));
    let (start, mut end) = (offset(span.start), offset(span.end));
    if text[start..end].matches('\n').nth(TALL).is_some() {
        end = start + text[start..end].find(['\r', '\n']).unwrap_or(0);
    }
    // The end of the file is best shown where its text ends, not on the empty lines after it.
    if start >= text.trim_end().len() && !text.is_empty() {
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        if text[line_start..].trim().is_empty() {
            let end = text.trim_end().len();
            return end..end;
        }
    }
    start..end.max(start)
}

/// The part of a line that is shown: all of it, or what is around the places in it.
fn window(file: &SourceFile, line: &Range<usize>, places: &[Range<usize>]) -> Range<usize> {
    if line.len() <= LONG_LINE {
        return line.clone();
    }
    let here =
        places.iter().flat_map(|place| [place.start, place.end]).filter(|at| (line.start..=line.end).contains(at));
    let (first, last) = here.fold((usize::MAX, line.start), |(first, last), at| (first.min(at), last.max(at)));
    let first = if first == usize::MAX { line.start } else { first.saturating_sub(AROUND).max(line.start) };
    let last = (last + AROUND).min(first + LONG_LINE).min(line.end);
    file.text.ceil_char_boundary(first)..file.text.floor_char_boundary(last.max(first))
}
