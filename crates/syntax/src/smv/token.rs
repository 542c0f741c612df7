//! Keywords and tokens of SMV.

use crate::span::Span;

macro_rules! keywords {
    ($($variant:ident $text:literal,)*) => {
        /// A reserved word of NuSMV 2.6.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Keyword {
            $($variant,)*
        }

        impl Keyword {
            /// All keywords, sorted by their text.
            pub(crate) const ALL: &'static [(&'static str, Keyword)] = &[$(($text, Keyword::$variant),)*];

            /// Its text.
            pub(crate) fn text(self) -> &'static str {
                match self {
                    $(Keyword::$variant => $text,)*
                }
            }
        }
    };
}

keywords! {
    A "A",
    Abf "ABF",
    Abg "ABG",
    Af "AF",
    Ag "AG",
    Assign "ASSIGN",
    Ax "AX",
    Bu "BU",
    Compassion "COMPASSION",
    Compid "COMPID",
    Compute "COMPUTE",
    Compwff "COMPWFF",
    Constants "CONSTANTS",
    Constraint "CONSTRAINT",
    Ctlspec "CTLSPEC",
    Ctlwff "CTLWFF",
    Define "DEFINE",
    E "E",
    Ebf "EBF",
    Ebg "EBG",
    Ef "EF",
    Eg "EG",
    Ex "EX",
    F "F",
    Fairness "FAIRNESS",
    False "FALSE",
    Frozenvar "FROZENVAR",
    Fun "FUN",
    G "G",
    H "H",
    InContext "IN",
    Init "INIT",
    Invar "INVAR",
    Invarspec "INVARSPEC",
    Isa "ISA",
    Itype "ITYPE",
    Ivar "IVAR",
    Justice "JUSTICE",
    Ltlspec "LTLSPEC",
    Ltlwff "LTLWFF",
    UpperMax "MAX",
    Mdefine "MDEFINE",
    UpperMin "MIN",
    Module "MODULE",
    Name "NAME",
    Nextwff "NEXTWFF",
    O "O",
    Pslspec "PSLSPEC",
    Read "READ",
    S "S",
    Simpwff "SIMPWFF",
    Spec "SPEC",
    T "T",
    Trans "TRANS",
    True "TRUE",
    U "U",
    V "V",
    Var "VAR",
    Write "WRITE",
    UpperWord "Word",
    X "X",
    Y "Y",
    Z "Z",
    Abs "abs",
    Array "array",
    Bool "bool",
    Boolean "boolean",
    Case "case",
    Count "count",
    Esac "esac",
    Extend "extend",
    In "in",
    SmallInit "init",
    Max "max",
    Min "min",
    Mod "mod",
    Next "next",
    Of "of",
    Process "process",
    Resize "resize",
    SelfRef "self",
    Signed "signed",
    Sizeof "sizeof",
    Swconst "swconst",
    Toint "toint",
    Union "union",
    Unsigned "unsigned",
    Uwconst "uwconst",
    Word "word",
    Word1 "word1",
    Xnor "xnor",
    Xor "xor",
}

impl Keyword {
    /// The keyword with this text.
    pub(crate) fn find(text: &str) -> Option<Keyword> {
        let at = Keyword::ALL.binary_search_by_key(&text, |(text, _)| text).ok()?;
        Some(Keyword::ALL[at].1)
    }

    /// Whether a section of a module, or a module, starts with it.
    pub(crate) fn starts_section(self) -> bool {
        use Keyword as K;
        matches!(
            self,
            K::Module
                | K::Var
                | K::Ivar
                | K::Frozenvar
                | K::Fun
                | K::Define
                | K::Mdefine
                | K::Constants
                | K::Assign
                | K::Init
                | K::Trans
                | K::Invar
                | K::Fairness
                | K::Justice
                | K::Compassion
                | K::Isa
                | K::Spec
                | K::Ctlspec
                | K::Ltlspec
                | K::Invarspec
                | K::Compute
                | K::Pslspec
        )
    }
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TokenKind {
    /// The end of the text.
    Eof,
    /// An invalid token; it was reported.
    Bad,
    /// A name.
    Name,
    /// An integer.
    Int,
    /// A number with a fraction or an exponent.
    Real,
    /// A word constant such as `0ud8_255`.
    Word,
    /// A reserved word.
    Keyword(Keyword),
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Comma,
    Semi,
    Colon,
    ColonColon,
    /// `:=`
    Becomes,
    Dot,
    DotDot,
    Question,
    Not,
    And,
    Or,
    /// `->`
    Arrow,
    /// `<->`
    DoubleArrow,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Shl,
    Shr,
    Plus,
    Minus,
    Star,
    Slash,
    // Operators of other languages, and of PSL.
    EqEq,
    AndAnd,
    OrOr,
    /// `=>`
    FatArrow,
    /// `<>`
    LtGt,
    Tilde,
    Caret,
    Percent,
    /// `|->`
    PipeArrow,
    /// `|=>`
    PipeFatArrow,
}

impl TokenKind {
    /// Its text, if it is always the same.
    pub(crate) fn text(self) -> Option<&'static str> {
        Some(match self {
            TokenKind::Eof | TokenKind::Bad | TokenKind::Name | TokenKind::Int | TokenKind::Real | TokenKind::Word => {
                return None;
            }
            TokenKind::Keyword(keyword) => keyword.text(),
            TokenKind::LParen => "(",
            TokenKind::RParen => ")",
            TokenKind::LBracket => "[",
            TokenKind::RBracket => "]",
            TokenKind::LBrace => "{",
            TokenKind::RBrace => "}",
            TokenKind::Comma => ",",
            TokenKind::Semi => ";",
            TokenKind::Colon => ":",
            TokenKind::ColonColon => "::",
            TokenKind::Becomes => ":=",
            TokenKind::Dot => ".",
            TokenKind::DotDot => "..",
            TokenKind::Question => "?",
            TokenKind::Not => "!",
            TokenKind::And => "&",
            TokenKind::Or => "|",
            TokenKind::Arrow => "->",
            TokenKind::DoubleArrow => "<->",
            TokenKind::Eq => "=",
            TokenKind::Ne => "!=",
            TokenKind::Lt => "<",
            TokenKind::Le => "<=",
            TokenKind::Gt => ">",
            TokenKind::Ge => ">=",
            TokenKind::Shl => "<<",
            TokenKind::Shr => ">>",
            TokenKind::Plus => "+",
            TokenKind::Minus => "-",
            TokenKind::Star => "*",
            TokenKind::Slash => "/",
            TokenKind::EqEq => "==",
            TokenKind::AndAnd => "&&",
            TokenKind::OrOr => "||",
            TokenKind::FatArrow => "=>",
            TokenKind::LtGt => "<>",
            TokenKind::Tilde => "~",
            TokenKind::Caret => "^",
            TokenKind::Percent => "%",
            TokenKind::PipeArrow => "|->",
            TokenKind::PipeFatArrow => "|=>",
        })
    }

    /// Whether it starts a section of a module, or a module.
    pub(crate) fn starts_section(self) -> bool {
        matches!(self, TokenKind::Keyword(keyword) if keyword.starts_section())
    }
}

/// A token and its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// Its kind.
    pub(crate) kind: TokenKind,
    /// Its span.
    pub(crate) span: Span,
}

#[cfg(test)]
mod tests {
    use super::Keyword;

    #[test]
    fn keywords_are_sorted_and_found() {
        assert!(Keyword::ALL.is_sorted_by_key(|(text, _)| text));
        for (text, keyword) in Keyword::ALL {
            assert_eq!(Keyword::find(text), Some(*keyword));
            assert_eq!(keyword.text(), *text);
        }
        assert_eq!(Keyword::find("Module"), None, "case matters");
    }
}
