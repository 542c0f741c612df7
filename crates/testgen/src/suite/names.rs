//! Resolution of names and values in files to variables and values of a model.

use super::codes;
use rustc_hash::FxHashMap;
use specwright_model::trace::parse_word;
use specwright_model::value::Symbol;
use specwright_model::{Domain, Model, Value, VarId};
use specwright_syntax::diagnostic::{Diagnostic, closest};
use specwright_syntax::span::Span;

/// The names of a model.
pub struct Names<'m> {
    model: &'m Model,
    vars: FxHashMap<&'m str, VarId>,
}

/// A value in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raw<'a> {
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A symbol or a word; in the text format any value.
    Text(&'a str),
}

impl<'m> Names<'m> {
    /// The names of a model.
    pub fn new(model: &'m Model) -> Names<'m> {
        let aliases = model.source.aliases.iter().map(|(id, name)| (name.as_str(), *id));
        let vars = model.vars().map(|(id, var)| (var.name.as_str(), id));
        Names { model, vars: aliases.chain(vars).collect() }
    }

    /// The variable with this name.
    pub fn var(&self, name: &str, span: Span) -> Result<VarId, Box<Diagnostic>> {
        if let Some(var) = self.vars.get(name).or_else(|| self.vars.get(in_quotes(name).as_str())) {
            return Ok(*var);
        }
        let unknown = Diagnostic::error(codes::UNKNOWN_VARIABLE, span, format!("the model has no variable `{name}`"));
        if self.model.define_named(name).is_some() {
            return Err(Box::new(unknown.note("it is a define: its value follows from the variables")));
        }
        let near = closest(name, self.model.vars.iter().map(|var| var.name.as_str()));
        Err(Box::new(match near {
            Some(near) => unknown.suggest("a variable with a similar name exists", span, near),
            None => unknown.help(list("the variables are", self.model.vars.iter().map(|var| var.name.clone()))),
        }))
    }

    fn symbol(&self, name: &str) -> Option<Symbol> {
        let symbols = &self.model.context.symbols;
        symbols.get(name).or_else(|| symbols.get(&in_quotes(name)))
    }

    /// A value of a variable. In the text format all values are words.
    pub fn value(&self, var: VarId, raw: Raw<'_>, text_form: bool, span: Span) -> Result<Value, Box<Diagnostic>> {
        let (model, declared) = (self.model, &self.model[var]);
        let value = match (raw, &declared.domain) {
            (Raw::Bool(truth), Domain::Bool) => Some(Value::Bool(truth)),
            (Raw::Int(number), Domain::Range(..) | Domain::Integer | Domain::Enum(_)) => Some(Value::Int(number)),
            (Raw::Text(text), Domain::Enum(_)) if self.symbol(text).is_some() => self.symbol(text).map(Value::Symbol),
            (Raw::Text(text), Domain::Word { .. }) => parse_word(text).map(Value::Word),
            (Raw::Text(text), Domain::Bool) if text_form => match text {
                "TRUE" | "true" => Some(Value::Bool(true)),
                "FALSE" | "false" => Some(Value::Bool(false)),
                _ => None,
            },
            (Raw::Text(text), Domain::Range(..) | Domain::Integer | Domain::Enum(_)) if text_form => {
                text.parse().ok().map(Value::Int)
            }
            _ => None,
        };
        if let Some(value) = value.filter(|value| declared.domain.contains(*value)) {
            return Ok(value);
        }
        let shown = match raw {
            Raw::Bool(truth) => truth.to_string(),
            Raw::Int(number) => number.to_string(),
            Raw::Text(text) if text_form => text.to_owned(),
            Raw::Text(text) => format!("\"{text}\""),
        };
        let message = format!("`{}` cannot be {shown}", declared.name);
        let wrong = Diagnostic::error(codes::WRONG_VALUE, span, message);
        let wrong = wrong.label(format!("expected {}", expected(model, &declared.domain)));
        let wrong = wrong.also(declared.span, "declared here");
        let near = match (raw, &declared.domain) {
            (Raw::Text(text), Domain::Enum(values)) => {
                let symbols = values.iter().filter_map(|value| match value {
                    Value::Symbol(symbol) => Some(model.context.symbols.name(*symbol)),
                    _ => None,
                });
                closest(text, symbols)
            }
            _ => None,
        };
        Err(Box::new(match near {
            Some(near) if text_form => wrong.suggest("a value with a similar name exists", span, near),
            Some(near) => wrong.suggest("a value with a similar name exists", span, format!("\"{near}\"")),
            None => wrong,
        }))
    }
}

/// SMV has names such as `"a name"`, whose quotes are part of them; other formats drop the quotes.
fn in_quotes(name: &str) -> String {
    format!("\"{name}\"")
}

/// A description of the values of a domain.
fn expected(model: &Model, domain: &Domain) -> String {
    match domain {
        Domain::Bool => "TRUE or FALSE".into(),
        Domain::Enum(values) => list("one of", values.iter().map(|value| model.show(*value))),
        Domain::Range(first, last) => format!("a number from {first} to {last}"),
        Domain::Integer => "a number".into(),
        Domain::Word { signed, width } => {
            let (sign, letter) = if *signed { ("a signed", 's') } else { ("an unsigned", 'u') };
            format!("{sign} word of {width} bits, such as 0{letter}d{width}_0")
        }
    }
}

/// The first few names, and a mark if there are more.
fn list(intro: &str, names: impl Iterator<Item = String>) -> String {
    const SHOWN: usize = 8;
    let mut names: Vec<String> = names.map(|name| format!("`{name}`")).take(SHOWN + 1).collect();
    if names.len() > SHOWN {
        names[SHOWN] = "…".into();
    }
    format!("{intro} {}", names.join(", "))
}
