//! The structure of code without names, texts and comments: a check of exports that needs no compiler.

/// The tokens of code, with `x` for every identifier, number and string; commas and layout are dropped.
///
/// Comments start with `#` in Python; all other languages have those of C.
pub(crate) fn skeleton(code: &str, python: bool) -> String {
    let mut tokens = String::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let length = if python && rest.starts_with("\"\"\"") {
            tokens.push_str(" x");
            rest[3..].find("\"\"\"").expect("a docstring that ends") + 6
        } else if (python && first == '#') || (!python && rest.starts_with("//")) {
            rest.find('\n').unwrap_or(rest.len())
        } else if !python && rest.starts_with("/*") {
            rest.find("*/").expect("a comment that ends") + 2
        } else if first == '"' {
            tokens.push_str(" x");
            string(rest)
        } else if is_word(first) {
            tokens.push_str(" x");
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            if !first.is_whitespace() && first != ',' {
                tokens.push(' ');
                tokens.push(first);
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    // A key in brackets is a key, and concatenated strings are one string.
    tokens.replace(" [ x ] :", " x :")
}

/// The length of a string with its quotes.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\n' => break,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    panic!("a string that does not end on its line: {text}");
}

/// The kind of each line of a feature: its keyword, or a row with its number of cells.
pub(crate) fn gherkin(feature: &str) -> String {
    let kinds = feature.lines().map(|line| {
        let line = line.trim();
        match line.chars().next() {
            None => "-".to_owned(),
            Some('#') => "#".into(),
            Some('|') => {
                let mut escaped = false;
                let bars = line.chars().filter(|c| {
                    let is_bar = *c == '|' && !escaped;
                    escaped = *c == '\\' && !escaped;
                    is_bar
                });
                format!("{} bars", bars.count())
            }
            Some(_) if line.starts_with("Scenario:") || line.starts_with("Feature:") => line[..8].to_owned(),
            Some(_) => line.to_owned(),
        }
    });
    kinds.collect::<Vec<_>>().join("\n")
}
