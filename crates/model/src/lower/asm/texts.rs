//! Functions of the standard library on strings, for finite sets of strings.

use super::library::{count, known_seq};
use super::signature::Dom;
use super::value::{Const, Single, Sym, Values};
use super::{Lowering, Stop};
use crate::expr::ExprId;
use specwright_syntax::asm::ast::{FunctionKind, TermKind};
use specwright_syntax::span::Span;

/// Maximal number of string variables; beyond it the set of strings would get too large.
const MAX_STRING_VARIABLES: usize = 8;

impl Lowering<'_> {
    /// The strings that the environment may supply: those in the source, and one more for each string variable. More
    /// strings make no difference as long as strings are only compared.
    pub(super) fn all_texts(&mut self) -> Option<Vec<Const>> {
        let mut texts = Vec::new();
        for term in self.files.iter().flat_map(|file| &file.terms) {
            if let TermKind::String(text) = &term.kind {
                let text = Const::Atom(format!("\"{text}\"").into());
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
        }
        let mut n = 0usize;
        for index in 0..self.sig.functions.len() {
            let function = &self.sig.functions[index];
            let dynamic = !matches!(function.kind, FunctionKind::Static | FunctionKind::Derived) && function.mentioned;
            let input = matches!(function.kind, FunctionKind::Monitored | FunctionKind::Shared);
            let seen = self.facts.seen.get(&index);
            let holds = input || seen.is_some_and(|seen| seen.atoms.iter().any(|text| is_other(text)));
            let leaves = self.text_leaves(&function.codomain.clone());
            if !dynamic || !holds || leaves == 0 {
                continue;
            }
            let mut rows = self.facts.args.get(&index).map_or(1, |rows| rows.len().max(1));
            for param in self.sig.functions[index].params.clone() {
                rows = rows
                    .saturating_mul(self.elements(&param, Span::NONE).ok().flatten().map_or(1, |items| items.len()));
            }
            n = n.saturating_add(rows.saturating_mul(leaves));
        }
        if n > MAX_STRING_VARIABLES {
            return None;
        }
        texts.extend((1..=n).map(|at| Const::Atom(format!("\"{OTHER} {at}\"").into())));
        Some(texts)
    }

    /// The number of strings in a value of a domain.
    fn text_leaves(&self, dom: &Dom) -> usize {
        match self.base(dom) {
            Dom::Text => 1,
            Dom::Prod(parts) => parts.iter().map(|part| self.text_leaves(part)).fold(0, usize::saturating_add),
            Dom::Set(inner) | Dom::Seq(inner) if self.text_leaves(&inner) > 0 => usize::MAX,
            _ => 0,
        }
    }

    /// Applies a function on strings; `None` if there is no such function.
    pub(super) fn on_texts(&mut self, name: &str, args: &[Sym], span: Span) -> Result<Option<Sym>, Stop> {
        let texts = match name {
            "toString" | "id" => args.len() == 1,
            "size" | "length" | "toUpper" | "toLower" | "toInteger" | "toNatural" | "toReal" | "toChar" | "concat"
            | "contains" | "split" | "subString" | "plus" | "lt" | "gt" | "le" | "ge" => {
                args.first().is_some_and(may_be_text)
            }
            _ => false,
        };
        if !texts {
            return Ok(None);
        }
        let any = |arg: &Sym| match arg {
            Sym::Known(Const::Atom(text)) => is_other(text),
            Sym::One(Single { values: Values::Atoms(texts), .. }) => texts.iter().any(|text| is_other(text)),
            _ => false,
        };
        if name != "toString" && args.iter().any(any) {
            let message = format!("`{name}` of a text from the environment is not supported");
            return Err(self.unsupported(span, &message));
        }
        self.by_value(args, span, &|args| on_known(name, args))
    }

    /// Applies a function of constants to all possible values; `None` if there are too many, or if it has no result for
    /// one.
    pub(super) fn by_value(
        &mut self,
        args: &[Sym],
        span: Span,
        function: &dyn Fn(&[Const]) -> Option<Sym>,
    ) -> Result<Option<Sym>, Stop> {
        let mut rows: Vec<(Vec<Const>, ExprId)> = vec![(Vec::new(), self.boolean(true))];
        for arg in args {
            let Some(values) = self.spread(arg) else { return Ok(None) };
            let mut more = Vec::new();
            for (row, guard) in &rows {
                for (value, when) in &values {
                    self.tick(span)?;
                    let mut row = row.clone();
                    row.push(value.clone());
                    more.push((row, self.and(*guard, *when)));
                }
            }
            rows = more;
        }
        let mut cases = Vec::new();
        for (row, guard) in rows {
            if self.truth_of(guard) == Some(false) {
                continue;
            }
            let result = if row.contains(&Const::Undef) { Some(Sym::UNDEF) } else { function(&row) };
            let Some(result) = result else { return Ok(None) };
            cases.push((result, guard));
        }
        Ok(Some(self.one_of(cases, span)?))
    }
}

/// The prefix of strings that do not occur in the source.
const OTHER: &str = "another text";

fn is_other(text: &str) -> bool {
    text.strip_prefix('"').is_some_and(|text| text.starts_with(OTHER))
}

fn on_known(name: &str, args: &[Const]) -> Option<Sym> {
    let text = |value: &Const| match value {
        Const::Atom(name) => name.strip_prefix('"')?.strip_suffix('"').map(str::to_owned),
        _ => None,
    };
    let int = |value: i64| Some(Sym::Known(Const::Int(value)));
    let place = |value: &Const| if let Const::Int(at) = value { usize::try_from(*at).ok() } else { None };
    match (name, args) {
        ("toString" | "id", [value]) => Some(quoted(&text(value).unwrap_or_else(|| value.to_string()))),
        ("size" | "length", [a]) => int(count(text(a)?.chars().count())),
        ("toUpper", [a]) => Some(quoted(&text(a)?.to_uppercase())),
        ("toLower", [a]) => Some(quoted(&text(a)?.to_lowercase())),
        ("toInteger", [a]) => int(text(a)?.parse().ok()?),
        ("toNatural", [a]) => int(text(a)?.trim_end_matches('n').parse::<u32>().ok()?.into()),
        ("toReal", [a]) => {
            let text = text(a)?;
            let (sign, digits) = text.strip_prefix('-').map_or((1, text.as_str()), |rest| (-1, rest));
            match super::fractions::parse_number(digits)? {
                Sym::Known(Const::Int(value)) => int(sign * value),
                Sym::Ratio(n, d) => match *n {
                    Sym::Known(Const::Int(n)) => Some(Sym::Ratio(Box::new(Sym::Known(Const::Int(sign * n))), d)),
                    _ => None,
                },
                _ => None,
            }
        }
        // A character is a text with one.
        ("toChar", [a]) => text(a).filter(|text| text.chars().count() == 1).map(|text| quoted(&text)),
        ("lt", [a, b]) => Some(Sym::bool(text(a)? < text(b)?)),
        ("gt", [a, b]) => Some(Sym::bool(text(a)? > text(b)?)),
        ("le", [a, b]) => Some(Sym::bool(text(a)? <= text(b)?)),
        ("ge", [a, b]) => Some(Sym::bool(text(a)? >= text(b)?)),
        ("concat" | "plus", [a, b]) => Some(quoted(&(text(a)? + &text(b)?))),
        ("contains", [a, b]) => Some(Sym::bool(text(a)?.contains(&text(b)?))),
        ("subString", [a, first, last]) => {
            let chars: Vec<char> = text(a)?.chars().collect();
            let part: String = chars.get(place(first)?..place(last)?)?.iter().collect();
            Some(quoted(&part))
        }
        ("split", [a, b]) => {
            let (a, b) = (text(a)?, text(b)?);
            // The separator is a regular expression; only literal ones are supported.
            let plain = !b.is_empty() && b.chars().all(|c| c.is_alphanumeric() || " ,;:/-_=#".contains(c));
            let parts = a.split(&b).map(quoted).collect();
            plain.then(|| known_seq(parts))
        }
        _ => None,
    }
}

fn quoted(text: &str) -> Sym {
    Sym::Known(Const::Atom(format!("\"{text}\"").into()))
}

/// Whether a value may be a string.
pub(super) fn may_be_text(sym: &Sym) -> bool {
    match sym {
        Sym::Known(Const::Atom(name)) => name.starts_with('"'),
        Sym::One(Single { values: Values::Atoms(names), .. }) => names.iter().any(|name| name.starts_with('"')),
        _ => false,
    }
}
