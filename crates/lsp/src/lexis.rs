//! The tokens of a text, for what needs no tree: highlighting, completion, and words under the cursor. Every language of
//! specifications has names, numbers, signs and comments; they differ in the comments and in what a name may contain.

/// A specification language of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Language {
    /// SMV, in two dialects.
    Smv,
    /// SCR tables.
    Scr,
    /// AsmetaL.
    Asm,
    /// Statecharts: XState machines and SCXML.
    Statechart,
    /// Any other language that has a front end: diagnostics and verification only.
    Other,
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// A quoted text.
    Text,
    /// A comment.
    Comment,
    /// An operator or a bracket.
    Sign,
}

/// A token: a range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// Its kind.
    pub(crate) kind: Kind,
    /// The first byte.
    pub(crate) start: usize,
    /// One past the last byte.
    pub(crate) end: usize,
}

/// The signs of more than one character, longer ones first.
const SIGNS: [&str; 26] = [
    "<->", "<=>", "|->", "|=>", "->", ":=", "!=", "<=", ">=", "<<", ">>", "..", "::", "=>", "<>", "==", "&&", "||",
    "/=", "@T", "@F", "@C", "@t", "@f", "@c", "--",
];

/// The tokens of a text.
pub(crate) fn tokens(text: &str, language: Language) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = |wanted: &dyn Fn(char) -> bool| rest.find(|c: char| !wanted(c)).unwrap_or(rest.len());
        let (kind, length) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if let Some(length) = comment(rest, language).filter(|_| !is_address(&text[..at], language)) {
            (Kind::Comment, length)
        } else if first.is_ascii_digit() {
            (Kind::Number, length(&|c| c.is_ascii_alphanumeric() || c == '_'))
        } else if starts_name(first, language) {
            (
                Kind::Word,
                first.len_utf8()
                    + rest[first.len_utf8()..].find(|c| !in_name(c, language)).unwrap_or(rest.len() - first.len_utf8()),
            )
        } else if (first == '"' && language != Language::Statechart) || (first == '\'' && language == Language::Asm) {
            let line = rest.find('\n').unwrap_or(rest.len());
            (Kind::Text, rest[1..line].find(first).map_or(line, |end| end + 2))
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            (Kind::Sign, sign.map_or(first.len_utf8(), |sign| sign.len()))
        };
        tokens.push(Token { kind, start: at, end: at + length });
        at += length;
    }
    tokens
}

/// Whether `//` is a part of an address, such as `https://`.
fn is_address(before: &str, language: Language) -> bool {
    language == Language::Statechart && before.ends_with(':')
}

/// Whether a name may start with a character.
pub(crate) fn starts_name(c: char, language: Language) -> bool {
    c == '_' || c.is_alphabetic() || (c == '$' && matches!(language, Language::Asm | Language::Statechart))
}

/// Whether a name may go on with a character.
pub(crate) fn in_name(c: char, language: Language) -> bool {
    c == '_'
        || c.is_alphanumeric()
        || (language == Language::Smv && matches!(c, '$' | '#' | '-' | '\\'))
        || (language == Language::Statechart && matches!(c, '$' | '-'))
}

/// The length of the comment at the start of a text.
fn comment(text: &str, language: Language) -> Option<usize> {
    let block = |open: &str, close: &str| {
        text.strip_prefix(open).map(|rest| rest.find(close).map_or(text.len(), |end| open.len() + end + close.len()))
    };
    let line = |open: &str| text.starts_with(open).then(|| text.find('\n').unwrap_or(text.len()));
    match language {
        Language::Smv => block("/--", "--/").or_else(|| line("--")),
        Language::Scr => line("--"),
        Language::Asm => block("/*", "*/").or_else(|| line("//")),
        // Texts hold names here, so quotes are signs.
        Language::Statechart => block("<!--", "-->").or_else(|| block("/*", "*/")).or_else(|| line("//")),
        Language::Other => None,
    }
}

/// The token at an offset: the one that contains it or, if there is none, the word that ends there.
pub(crate) fn at(tokens: &[Token], offset: usize) -> Option<Token> {
    let after = tokens.partition_point(|token| token.start <= offset);
    let before = tokens[..after].last().copied();
    before.filter(|token| offset < token.end || (offset == token.end && token.kind == Kind::Word)).or_else(|| {
        let earlier = after.checked_sub(2).map(|index| tokens[index]);
        earlier.filter(|token| token.end == offset && token.kind == Kind::Word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, language: Language) -> Vec<(Kind, &str)> {
        tokens(text, language).into_iter().map(|token| (token.kind, &text[token.start..token.end])).collect()
    }

    #[test]
    fn languages_differ_in_comments_and_names() {
        let expected = [(Kind::Word, "a-b"), (Kind::Sign, ":="), (Kind::Number, "0ud8_3"), (Kind::Comment, "-- ü")];
        assert_eq!(texts("a-b := 0ud8_3 -- ü\n", Language::Smv), expected);
        let expected = [(Kind::Word, "$x"), (Kind::Sign, ":="), (Kind::Text, "\"s\""), (Kind::Comment, "/* y */")];
        assert_eq!(texts("$x := \"s\" /* y */", Language::Asm), expected);
        let expected = [(Kind::Sign, "@T"), (Kind::Sign, "("), (Kind::Word, "a"), (Kind::Sign, ")")];
        assert_eq!(texts("@T(a)", Language::Scr), expected);
    }

    #[test]
    fn the_word_before_the_cursor_is_the_one_at_it() {
        let text = "ab+c";
        let tokens = tokens(text, Language::Scr);
        let found = |offset| at(&tokens, offset).map(|token| &text[token.start..token.end]);
        assert_eq!([found(0), found(2), found(3), found(4)], [Some("ab"), Some("+"), Some("c"), Some("c")]);
    }

    #[test]
    fn comments_and_texts_that_do_not_end_go_to_the_end() {
        assert_eq!(texts("/* a", Language::Asm), [(Kind::Comment, "/* a")]);
        assert_eq!(texts("\"a\nb", Language::Asm), [(Kind::Text, "\"a"), (Kind::Word, "b")]);
        assert_eq!(texts("\"", Language::Asm), [(Kind::Text, "\"")]);
    }
}
