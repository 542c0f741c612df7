//! The functions of the standard library on texts, where there are only so many texts.

use super::library::{count, known_seq};
use super::value::{Const, Single, Sym, Values};
use super::{Lowering, Stop};
use crate::expr::ExprId;
use specwright_syntax::span::Span;

impl Lowering<'_> {
    /// A function on texts; nothing if this is none.
    pub(super) fn on_texts(&mut self, name: &str, args: &[Sym], span: Span) -> Result<Option<Sym>, Stop> {
        let texts = match name {
            "toString" | "id" => args.len() == 1,
            "size" | "length" | "toUpper" | "toLower" | "toInteger" | "toNatural" | "concat" | "contains" | "split"
            | "subString" | "plus" => args.first().is_some_and(may_be_text),
            _ => false,
        };
        if !texts {
            return Ok(None);
        }
        self.by_value(args, span, &|args| on_known(name, args))
    }

    /// What a function gives that is known for known values; nothing if there are too many, or it is not known for one.
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
        ("concat" | "plus", [a, b]) => Some(quoted(&(text(a)? + &text(b)?))),
        ("contains", [a, b]) => Some(Sym::bool(text(a)?.contains(&text(b)?))),
        ("subString", [a, first, last]) => {
            let chars: Vec<char> = text(a)?.chars().collect();
            let part: String = chars.get(place(first)?..place(last)?)?.iter().collect();
            Some(quoted(&part))
        }
        ("split", [a, b]) => {
            let (a, b) = (text(a)?, text(b)?);
            // What separates is a pattern; only what stands for itself is read.
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

/// Whether this may be a text.
pub(super) fn may_be_text(sym: &Sym) -> bool {
    match sym {
        Sym::Known(Const::Atom(name)) => name.starts_with('"'),
        Sym::One(Single { values: Values::Atoms(names), .. }) => names.iter().any(|name| name.starts_with('"')),
        _ => false,
    }
}
