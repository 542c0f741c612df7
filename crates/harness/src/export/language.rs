//! Identifiers, types and literals of programming languages.

use super::naming::{camel, pascal, screaming, snake};
use specwright_model::model::Var;
use specwright_model::{Domain, Model, Value};

/// A language of templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Python,
    Java,
    Rust,
    C,
    Go,
    JavaScript,
    /// No language: names and values as in the model.
    Plain,
}

impl Language {
    /// Whether the language is statically typed with structures, so that each variable needs a name and a value.
    pub(super) fn is_static(self) -> bool {
        matches!(self, Language::Java | Language::Rust | Language::C | Language::Go)
    }

    /// The naming convention of fields.
    pub(super) fn field(self) -> fn(&str) -> String {
        match self {
            Language::Rust | Language::C | Language::Python => snake,
            Language::Java | Language::JavaScript => camel,
            Language::Go => pascal,
            Language::Plain => str::to_owned,
        }
    }

    /// The naming convention of test functions.
    pub(super) fn function(self) -> fn(&str) -> String {
        match self {
            Language::Java | Language::JavaScript => camel,
            Language::Go => |name| after("Test", &pascal(name)),
            Language::Rust => snake,
            Language::C | Language::Python => |name| after("test_", &snake(name)),
            Language::Plain => str::to_owned,
        }
    }

    /// The naming convention of constants.
    pub(super) fn constant(self) -> fn(&str) -> String {
        match self {
            Language::Rust | Language::Go => pascal,
            Language::Java | Language::C => screaming,
            Language::Python | Language::JavaScript | Language::Plain => str::to_owned,
        }
    }

    /// The reserved words.
    pub(super) fn reserved(self) -> &'static [&'static str] {
        match self {
            Language::Rust => &[
                "as", "async", "await", "box", "break", "const", "continue", "crate", "do", "dyn", "else", "enum",
                "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match",
                "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super",
                "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while",
                "yield", "abstract", "become", "subject", "Self", "Inputs", "First", "Outputs", "Subject", "String",
                "Option", "Some", "None", "Ok", "Err", "main",
            ],
            Language::C => &[
                "auto",
                "bool",
                "break",
                "case",
                "char",
                "const",
                "continue",
                "default",
                "do",
                "double",
                "else",
                "enum",
                "extern",
                "false",
                "float",
                "for",
                "goto",
                "if",
                "inline",
                "int",
                "long",
                "main",
                "register",
                "restrict",
                "return",
                "short",
                "signed",
                "sizeof",
                "static",
                "struct",
                "switch",
                "true",
                "typedef",
                "union",
                "unsigned",
                "void",
                "volatile",
                "while",
                "inputs",
                "first",
                "outputs",
                "alignas",
                "alignof",
                "asm",
                "constexpr",
                "errno",
                "i386",
                "linux",
                "nullptr",
                "static_assert",
                "thread_local",
                "typeof",
                "unix",
            ],
            Language::Java => &[
                "abstract",
                "assert",
                "boolean",
                "break",
                "byte",
                "case",
                "catch",
                "char",
                "class",
                "const",
                "continue",
                "default",
                "do",
                "double",
                "else",
                "enum",
                "extends",
                "final",
                "finally",
                "float",
                "for",
                "goto",
                "if",
                "implements",
                "import",
                "instanceof",
                "int",
                "interface",
                "long",
                "native",
                "new",
                "package",
                "private",
                "protected",
                "public",
                "return",
                "short",
                "static",
                "strictfp",
                "super",
                "switch",
                "synchronized",
                "this",
                "throw",
                "throws",
                "transient",
                "try",
                "void",
                "volatile",
                "while",
                "true",
                "false",
                "null",
                "_",
                "record",
                "var",
                "yield",
                "subject",
                "Inputs",
                "First",
                "Outputs",
                "Subject",
                "String",
                "Object",
                "Test",
                "clone",
                "finalize",
                "getClass",
                "hashCode",
                "notify",
                "notifyAll",
                "toString",
                "wait",
            ],
            Language::Go => &[
                "break",
                "case",
                "chan",
                "const",
                "continue",
                "default",
                "defer",
                "else",
                "fallthrough",
                "for",
                "func",
                "go",
                "goto",
                "if",
                "import",
                "interface",
                "map",
                "package",
                "range",
                "return",
                "select",
                "struct",
                "switch",
                "type",
                "var",
                "Inputs",
                "First",
                "Outputs",
                "Subject",
            ],
            Language::Python | Language::JavaScript | Language::Plain => &[],
        }
    }

    /// The type of a variable; `enumeration` is the name of its enumeration type.
    pub(super) fn type_name(self, var: &Var, enumeration: Option<&str>) -> String {
        if let Some(name) = enumeration {
            return if self == Language::C { format!("enum {name}") } else { name.to_owned() };
        }
        let unsigned = matches!(var.domain, Domain::Word { signed: false, .. });
        let name = match (&var.domain, self) {
            (Domain::Bool, Language::Rust | Language::C | Language::Go) => "bool",
            (Domain::Bool, Language::Java) => "boolean",
            (Domain::Enum(values), language) if !is_numeric(values) => match language {
                Language::Rust => "&'static str",
                Language::C => "const char *",
                Language::Go => "string",
                Language::Java => "String",
                _ => "",
            },
            (_, Language::Rust) if unsigned => "u64",
            (_, Language::Rust) => "i64",
            (_, Language::C) if unsigned => "uint64_t",
            (_, Language::C) => "int64_t",
            (_, Language::Go) if unsigned => "uint64",
            (_, Language::Go) => "int64",
            (_, Language::Java) => "long",
            _ => "",
        };
        name.into()
    }

    /// The type of real numbers.
    pub(super) fn real(self) -> &'static str {
        match self {
            Language::Rust => "f64",
            Language::C | Language::Java => "double",
            Language::Go => "float64",
            Language::Python | Language::JavaScript | Language::Plain => "",
        }
    }

    /// The type of a value that may be missing.
    pub(super) fn optional_type(self, type_name: &str) -> String {
        match (self, type_name) {
            (Language::Rust, _) => format!("Option<{type_name}>"),
            (Language::Go, _) => format!("*{type_name}"),
            (Language::C, pointer) if pointer.ends_with('*') => format!("struct {{ bool is_known; {pointer}value; }}"),
            (Language::C, _) => format!("struct {{ bool is_known; {type_name} value; }}"),
            (Language::Java, "boolean") => "Boolean".into(),
            (Language::Java, "long") => "Long".into(),
            (Language::Java, "double") => "Double".into(),
            _ => type_name.into(),
        }
    }

    /// The literal of a value; symbols of an enumeration type are given by their constants.
    pub(super) fn literal(self, model: &Model, value: Value, domain: &Domain, constant: Option<String>) -> String {
        let text = |text: String| self.quoted(&text);
        match (value, domain) {
            _ if self == Language::Plain => model.show(value),
            (Value::Bool(true), _) if self == Language::Python => "True".into(),
            (Value::Bool(false), _) if self == Language::Python => "False".into(),
            (Value::Bool(truth), _) => truth.to_string(),
            // An enumeration of symbols and numbers has no better common type than strings in typed languages.
            (Value::Int(number), Domain::Enum(values)) if self.is_static() && is_mixed(values) => {
                text(number.to_string())
            }
            (Value::Int(number), _) => self.number(number.into(), false),
            (Value::Symbol(_), _) => constant.unwrap_or_else(|| text(model.show(value))),
            (Value::Word(_), _) if matches!(self, Language::Python | Language::JavaScript) => text(model.show(value)),
            (Value::Word(word), _) => self.number(word.to_int(), !word.signed),
        }
    }

    fn number(self, number: i128, unsigned: bool) -> String {
        match self {
            Language::Java if number > i128::from(i64::MAX) => format!("{}L", number as i64),
            Language::Java => format!("{number}L"),
            // The smallest number has no literal in C.
            Language::C if number == i128::from(i64::MIN) => "INT64_MIN".into(),
            Language::C if unsigned => format!("UINT64_C({number})"),
            Language::C if number.unsigned_abs() > 0x7fff_ffff => format!("INT64_C({number})"),
            _ => number.to_string(),
        }
    }
}

impl std::str::FromStr for Language {
    type Err = String;

    fn from_str(name: &str) -> Result<Language, String> {
        let known = [
            ("python", Language::Python),
            ("java", Language::Java),
            ("rust", Language::Rust),
            ("c", Language::C),
            ("go", Language::Go),
            ("javascript", Language::JavaScript),
        ];
        let found = known.iter().find(|(known, _)| *known == name).map(|(_, language)| *language);
        let names = known.map(|(name, _)| name).join("`, `");
        found.ok_or_else(|| format!("there is no language `{name}`, but `{names}`"))
    }
}

/// Whether an enumeration has both symbols and numbers.
pub(super) fn is_mixed(values: &[Value]) -> bool {
    values.iter().any(|value| matches!(value, Value::Symbol(_)))
        && values.iter().any(|value| matches!(value, Value::Int(_)))
}

/// Whether an enumeration has numbers only.
fn is_numeric(values: &[Value]) -> bool {
    values.iter().all(|value| matches!(value, Value::Int(_)))
}

/// A name with a prefix, which tests need in some languages.
fn after(start: &str, name: &str) -> String {
    if name.starts_with(start) { name.into() } else { format!("{start}{name}") }
}
