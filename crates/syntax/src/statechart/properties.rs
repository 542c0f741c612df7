//! Properties in comments: lines such as `// SPEC AG (state = red -> AF state = green)`.

use super::ast::Name;
use crate::span::{SourceFile, Span};

/// The words that start a property.
const WORDS: [&str; 6] = ["CTLSPEC", "INVARSPEC", "LTLSPEC", "PSLSPEC", "SPEC", "COMPUTE"];

/// The properties in comments, each with the text from its first word to the end of its line.
pub(super) fn in_comments(source: &SourceFile, comments: &[Span]) -> Vec<Name> {
    let mut properties = Vec::new();
    for comment in comments {
        let text = source.slice(*comment);
        let mut start = comment.start;
        for line in text.split_inclusive('\n') {
            let content = line.trim_start_matches(['/', '*', ' ', '\t', '<', '!', '-']);
            let at = start + (line.len() - content.len()) as u32;
            let content = content.trim_end().trim_end_matches("*/").trim_end_matches("-->").trim_end();
            let word = content.split([' ', '\t']).next().unwrap_or_default();
            if WORDS.contains(&word) {
                let span = Span::new(at, at + content.len() as u32);
                properties.push(Name { text: content.into(), span });
            }
            start += line.len() as u32;
        }
    }
    properties
}
