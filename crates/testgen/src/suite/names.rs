//! Resolution of names and values in files to variables and values of a model.

use super::{codes, type_text};
use rustc_hash::FxHashMap;
use specwright_model::decimal::multiple;
use specwright_model::interface::Observable;
use specwright_model::interface::outputs::{self, NotObservable};
use specwright_model::model::DefineId;
use specwright_model::trace::parse_word;
use specwright_model::value::Symbol;
use specwright_model::{Domain, Model, Value, VarId};
use specwright_syntax::diagnostic::{Diagnostic, closest};
use specwright_syntax::span::Span;
use std::cell::RefCell;

/// The names of a model.
pub struct Names<'m> {
    model: &'m Model,
    vars: FxHashMap<&'m str, VarId>,
    defines: FxHashMap<&'m str, DefineId>,
    /// Whether a define can be observed, and its values; computed on first use.
    observable: RefCell<FxHashMap<DefineId, Result<Domain, NotObservable>>>,
}

/// A value in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raw<'a> {
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number that is not an integer.
    Decimal(&'a str),
    /// A symbol or a word; in the text format any value.
    Text(&'a str),
}

impl<'m> Names<'m> {
    /// The names of a model.
    pub fn new(model: &'m Model) -> Names<'m> {
        let aliases = model.source.aliases.iter().map(|(id, name)| (name.as_str(), *id));
        let vars = model.vars().map(|(id, var)| (var.name.as_str(), id));
        let defines = model.defines().map(|(id, define)| (define.name.as_str(), id)).collect();
        Names { model, vars: aliases.chain(vars).collect(), defines, observable: RefCell::default() }
    }

    /// The variable with this name.
    pub fn var(&self, name: &str, span: Span) -> Result<VarId, Box<Diagnostic>> {
        if let Some(var) = self.vars.get(name).or_else(|| self.vars.get(in_quotes(name).as_str())) {
            return Ok(*var);
        }
        let unknown = Diagnostic::error(codes::UNKNOWN_VARIABLE, span, format!("the model has no variable `{name}`"));
        let near = closest(name, self.model.vars.iter().map(|var| var.name.as_str()));
        Err(Box::new(match near {
            Some(near) => unknown.suggest("a variable with a similar name exists", span, near),
            None => unknown.help(list("the variables are", self.model.vars.iter().map(|var| var.name.clone()))),
        }))
    }

    /// The variable or define with this name.
    pub fn observable(&self, name: &str, span: Span) -> Result<Observable, Box<Diagnostic>> {
        let unknown = match self.var(name, span) {
            Ok(var) => return Ok(Observable::Var(var)),
            Err(unknown) => unknown,
        };
        let define = self.defines.get(name).or_else(|| self.defines.get(in_quotes(name).as_str()));
        let Some(define) = define else { return Err(unknown) };
        match self.domain(*define) {
            Ok(_) => Ok(Observable::Define(*define)),
            Err(why) => {
                let message = format!("tests cannot have values for the define `{name}`");
                let wrong = Diagnostic::error(codes::UNKNOWN_VARIABLE, span, message);
                Err(Box::new(wrong.note(why.describe(self.model)).also(self.model[*define].span, "defined here")))
            }
        }
    }

    /// The values of a define, if it can be observed.
    pub fn domain(&self, define: DefineId) -> Result<Domain, NotObservable> {
        let compute = || {
            outputs::observable(self.model, define)?;
            outputs::domain(self.model, define).ok_or(NotObservable::Choice)
        };
        self.observable.borrow_mut().entry(define).or_insert_with(compute).clone()
    }

    fn symbol(&self, name: &str) -> Option<Symbol> {
        let symbols = &self.model.context.symbols;
        symbols.get(name).or_else(|| symbols.get(&in_quotes(name)))
    }

    /// A value of a variable or define. In the text format all values are words.
    pub fn value(&self, of: Observable, raw: Raw<'_>, text_form: bool, span: Span) -> Result<Value, Box<Diagnostic>> {
        let model = self.model;
        let (domain, declared) = match of {
            Observable::Var(var) => (model[var].domain.clone(), model[var].span),
            Observable::Define(define) => (self.domain(define).unwrap_or(Domain::Bool), model[define].span),
        };
        let domain = &domain;
        let denominator = if let Observable::Var(var) = of { model.denominator(var) } else { None };
        let value = match (raw, domain) {
            (Raw::Int(number), _) if let Some(denominator) = denominator => {
                number.checked_mul(denominator).map(Value::Int)
            }
            (Raw::Decimal(text) | Raw::Text(text), _) if let Some(denominator) = denominator => {
                multiple(text, denominator).map(Value::Int)
            }
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
        if let Some(value) = value.filter(|value| domain.contains(*value)) {
            return Ok(value);
        }
        let shown = match raw {
            Raw::Bool(truth) => truth.to_string(),
            Raw::Int(number) => number.to_string(),
            Raw::Decimal(text) => text.to_owned(),
            Raw::Text(text) if text_form => text.to_owned(),
            Raw::Text(text) => format!("\"{text}\""),
        };
        let message = format!("`{}` cannot be {shown}", model.name_of(of));
        let wrong = Diagnostic::error(codes::WRONG_VALUE, span, message);
        let expected = match (denominator, of) {
            (Some(_), Observable::Var(var)) => format!("a number of {}", type_text(model, var)),
            _ => expected(model, domain),
        };
        let wrong = wrong.label(format!("expected {expected}"));
        let wrong = wrong.also(declared, "declared here");
        let near = match (raw, domain) {
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
