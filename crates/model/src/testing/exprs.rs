//! Random expressions, as SMV text.

use crate::interp::Random;
use std::fmt::Write;

/// The type of a variable or expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    /// The integers from the first to the last.
    Range(i64, i64),
    /// An enumeration of integers.
    Numbers(Vec<i64>),
    /// An enumeration of symbols, or of symbols and integers.
    Symbols(Vec<&'static str>),
    Word {
        signed: bool,
        width: u8,
    },
}

impl Kind {
    pub(super) fn size(&self) -> u64 {
        match self {
            Kind::Bool => 2,
            Kind::Range(first, last) => last.abs_diff(*first) + 1,
            Kind::Numbers(values) => values.len() as u64,
            Kind::Symbols(values) => values.len() as u64,
            Kind::Word { width, .. } => 1 << width,
        }
    }

    pub(super) fn is_int(&self) -> bool {
        matches!(self, Kind::Range(..) | Kind::Numbers(_))
    }

    /// The type in SMV notation.
    pub(super) fn declaration(&self) -> String {
        match self {
            Kind::Bool => "boolean".into(),
            Kind::Range(first, last) => format!("{first}..{last}"),
            Kind::Numbers(values) => {
                let values: Vec<String> = values.iter().map(i64::to_string).collect();
                format!("{{{}}}", values.join(", "))
            }
            Kind::Symbols(values) => format!("{{{}}}", values.join(", ")),
            Kind::Word { signed, width } => format!("{} word[{width}]", if *signed { "signed" } else { "unsigned" }),
        }
    }

    /// Whether it has all values of the other.
    fn covers(&self, other: &Kind) -> bool {
        match (self, other) {
            (Kind::Range(..) | Kind::Numbers(_), Kind::Range(first, last)) => (*first..=*last).all(|n| self.has(n)),
            (Kind::Range(..) | Kind::Numbers(_), Kind::Numbers(values)) => values.iter().all(|n| self.has(*n)),
            (Kind::Symbols(ours), Kind::Symbols(theirs)) => theirs.iter().all(|symbol| ours.contains(symbol)),
            _ => self == other,
        }
    }

    fn has(&self, number: i64) -> bool {
        match self {
            Kind::Range(first, last) => (*first..=*last).contains(&number),
            Kind::Numbers(values) => values.contains(&number),
            _ => false,
        }
    }
}

/// A name that expressions may use, with its type.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) kind: Kind,
}

/// The names that expressions may use in a context.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) names: Vec<Name>,
    /// The names of arrays of two booleans.
    pub(super) arrays: Vec<String>,
    /// Whether to use built-ins of newer versions of the language.
    pub(super) new_builtins: bool,
    /// Whether to use expressions that are undefined for some values.
    pub(super) partial: bool,
}

/// Generator of expressions.
pub(super) struct Writer<'r> {
    pub(super) random: &'r mut Random,
}

impl Writer<'_> {
    fn name(&mut self, scope: &Scope, fits: impl Fn(&Kind) -> bool) -> Option<String> {
        let names: Vec<&Name> = scope.names.iter().filter(|name| fits(&name.kind)).collect();
        if names.is_empty() { None } else { Some(self.random.pick(&names).text.clone()) }
    }

    /// An integer variable, now or next. No define, which may be constant.
    fn variable(&mut self, scope: &Scope) -> Option<String> {
        let is_variable =
            |name: &&Name| name.kind.is_int() && (name.text.starts_with('v') || name.text.starts_with("next(v"));
        let names: Vec<&Name> = scope.names.iter().filter(is_variable).collect();
        if names.is_empty() { None } else { Some(self.random.pick(&names).text.clone()) }
    }

    /// A boolean expression.
    pub(super) fn bool(&mut self, scope: &Scope, depth: u32) -> String {
        let leaf = |writer: &mut Self| {
            writer.name(scope, |kind| *kind == Kind::Bool).unwrap_or_else(|| writer.comparison(scope, 0))
        };
        if depth == 0 {
            return match self.random.index(24) {
                0 => "TRUE".into(),
                1 => "FALSE".into(),
                2..=14 => self.comparison(scope, 0),
                _ => leaf(self),
            };
        }
        let depth = depth - 1;
        match self.random.index(16) {
            0 | 1 => leaf(self),
            2 => format!("!({})", self.bool(scope, depth)),
            3..=7 => {
                let op = *self.random.pick(&["&", "|", "->", "<->", "xor", "xnor", "=", "!="]);
                format!("(({}) {op} ({}))", self.bool(scope, depth), self.bool(scope, depth))
            }
            8 => format!(
                "(({}) ? ({}) : ({}))",
                self.bool(scope, depth),
                self.bool(scope, depth),
                self.bool(scope, depth)
            ),
            9 => self.case(scope, depth, |writer| writer.bool(scope, depth)),
            10 if !scope.arrays.is_empty() => {
                let array = self.random.pick(&scope.arrays).clone();
                // A constant index out of bounds is a static error.
                if scope.partial
                    && let Some(index) = self.variable(scope)
                {
                    return format!("{array}[{index}]");
                }
                format!("{array}[({}) ? 1 : 0]", self.bool(scope, depth))
            }
            12 if scope.partial => {
                // An array literal with an index.
                let [a, b] = [0; 2].map(|_| self.bool(scope, depth));
                let index = self.int(scope, depth);
                format!("case ({index}) = 0 : ({a}); ({index}) = 1 : ({b}); esac")
            }
            11 => {
                let width = 1 + self.random.index(3) as u8;
                let bit = self.random.index(usize::from(width));
                format!("bool(({})[{bit}:{bit}])", self.word(scope, depth, false, width))
            }
            _ => self.comparison(scope, depth),
        }
    }

    /// A comparison or a membership test.
    fn comparison(&mut self, scope: &Scope, depth: u32) -> String {
        let comparable: Vec<&Name> = scope.names.iter().filter(|name| name.kind != Kind::Bool).collect();
        if comparable.is_empty() || self.random.percent(15) {
            let op = *self.random.pick(&["=", "!=", "<", "<=", ">", ">="]);
            return format!("({}) {op} ({})", self.int(scope, depth), self.int(scope, depth));
        }
        let name = (*self.random.pick(&comparable)).clone();
        if self.random.percent(50) {
            // The most common form in real models: a variable compared with one of its values.
            let op = if name.kind.is_int() { *self.random.pick(&["=", "!=", "<", ">="]) } else { "=" };
            return format!("{} {op} {}", name.text, self.constant(&name.kind));
        }
        match &name.kind {
            Kind::Symbols(values) => {
                let symbolic = |kind: &Kind| matches!(kind, Kind::Symbols(_));
                let other = self.name(scope, symbolic).filter(|_| self.random.percent(30));
                let other = other.unwrap_or_else(|| (*self.random.pick(values)).into());
                match self.random.index(4) {
                    0 => format!("{} != {other}", name.text),
                    1 => format!("{} in {{{}, {other}}}", name.text, self.random.pick(values)),
                    _ => format!("{} = {other}", name.text),
                }
            }
            Kind::Word { signed, width } => {
                let op = *self.random.pick(&["=", "!=", "<", "<=", ">", ">="]);
                format!("{} {op} ({})", name.text, self.word(scope, depth, *signed, *width))
            }
            _ => match self.random.index(8) {
                0 => format!("{} in {{{}, {}}}", name.text, self.random.index(4), self.int(scope, depth)),
                1 => format!("{} in {}..{}", name.text, self.random.index(2), 1 + self.random.index(3)),
                2 => format!("{} in ({} union {})", name.text, self.random.index(4), self.random.index(4)),
                _ => {
                    let op = *self.random.pick(&["=", "!=", "<", "<=", ">", ">="]);
                    format!("{} {op} ({})", name.text, self.int(scope, depth))
                }
            },
        }
    }

    /// A small integer of any sign.
    pub(super) fn int(&mut self, scope: &Scope, depth: u32) -> String {
        let leaf = |writer: &mut Self| {
            let name = writer.name(scope, Kind::is_int);
            name.filter(|_| writer.random.percent(70)).unwrap_or_else(|| (writer.random.index(5)).to_string())
        };
        if depth == 0 {
            return leaf(self);
        }
        let depth = depth - 1;
        match self.random.index(14) {
            0 | 1 => leaf(self),
            2 => format!("(-({}))", self.int(scope, depth)),
            3..=6 => {
                let op = *self.random.pick(&["+", "-", "*"]);
                format!("(({}) {op} ({}))", self.int(scope, depth), self.int(scope, depth))
            }
            7 => {
                let (op, by) = (*self.random.pick(&["/", "mod"]), *self.random.pick(&["2", "3", "(-2)", "(-3)"]));
                format!("(({}) {op} {by})", self.int(scope, depth))
            }
            8 => {
                // Divisions are guarded, unless partial expressions are wanted.
                let (a, b) = (self.int(scope, depth), self.int(scope, depth));
                let op = *self.random.pick(&["/", "mod"]);
                if scope.partial && self.random.percent(70) {
                    return format!("(({a}) {op} ({b}))");
                }
                format!("(({b}) = 0 ? 1 : ({a}) {op} ({b}))")
            }
            9 => {
                format!("(({}) ? ({}) : ({}))", self.bool(scope, depth), self.int(scope, depth), self.int(scope, depth))
            }
            10 => self.case(scope, depth, |writer| writer.int(scope, depth)),
            11 => format!("count(({}), ({}))", self.bool(scope, depth), self.bool(scope, depth)),
            12 => {
                let (signed, width) = (self.random.percent(50), 1 + self.random.index(3) as u8);
                format!("toint({})", self.word(scope, depth, signed, width))
            }
            _ if scope.new_builtins => match self.random.index(3) {
                0 => format!("abs({})", self.int(scope, depth)),
                1 => format!("min({}, {})", self.int(scope, depth), self.int(scope, depth)),
                _ => format!("max({}, {})", self.int(scope, depth), self.int(scope, depth)),
            },
            _ => leaf(self),
        }
    }

    /// A word of the given type.
    pub(super) fn word(&mut self, scope: &Scope, depth: u32, signed: bool, width: u8) -> String {
        let leaf = |writer: &mut Self| {
            let name = writer.name(scope, |kind| *kind == Kind::Word { signed, width });
            name.filter(|_| writer.random.percent(75)).unwrap_or_else(|| writer.word_constant(signed, width))
        };
        if depth == 0 {
            return leaf(self);
        }
        let depth = depth - 1;
        match self.random.index(14) {
            2 => {
                let op = *self.random.pick(&["!", "-"]);
                format!("({op}({}))", self.word(scope, depth, signed, width))
            }
            3..=6 => {
                let op = *self.random.pick(&["+", "-", "*", "&", "|", "xor", "xnor", "->", "<->"]);
                let (a, b) = (self.word(scope, depth, signed, width), self.word(scope, depth, signed, width));
                format!("(({a}) {op} ({b}))")
            }
            7 => {
                let op = *self.random.pick(&["/", "mod"]);
                let by = if signed { format!("0sd{width}_1") } else { format!("0ud{width}_1") };
                let (a, b) = (self.word(scope, depth, signed, width), self.word(scope, depth, signed, width));
                let zero = if signed { format!("0sd{width}_0") } else { format!("0ud{width}_0") };
                if signed && width == 1 {
                    return a;
                }
                if scope.partial && self.random.percent(70) {
                    return format!("(({a}) {op} ({b}))");
                }
                format!("(({b}) = {zero} ? {by} : ({a}) {op} ({b}))")
            }
            8 => {
                if scope.partial && self.random.percent(70) {
                    let op = *self.random.pick(&["<<", ">>"]);
                    let by = self.variable(scope).unwrap_or_else(|| "1".into());
                    return format!("(({}) {op} ({by}))", self.word(scope, depth, signed, width));
                }
                let (op, by) = (*self.random.pick(&["<<", ">>"]), self.random.index(usize::from(width) + 1));
                format!("(({}) {op} {by})", self.word(scope, depth, signed, width))
            }
            9 => {
                let (condition, a) = (self.bool(scope, depth), self.word(scope, depth, signed, width));
                format!("(({condition}) ? ({a}) : ({}))", self.word(scope, depth, signed, width))
            }
            10 if signed => format!("signed({})", self.word(scope, depth, false, width)),
            10 => format!("unsigned({})", self.word(scope, depth, true, width)),
            11 if width > 1 => {
                let from = 1 + self.random.index(usize::from(width) - 1) as u8;
                format!("extend(({}), {})", self.word(scope, depth, signed, from), width - from)
            }
            12 => {
                let from = 1 + self.random.index(4) as u8;
                format!("resize(({}), {width})", self.word(scope, depth, signed, from))
            }
            13 if !signed && width > 1 => {
                let low = 1 + self.random.index(usize::from(width) - 1) as u8;
                let high_sign = self.random.percent(50);
                let (a, b) = (self.word(scope, depth, high_sign, width - low), self.word(scope, depth, false, low));
                format!("(({a}) :: ({b}))")
            }
            13 if !signed => format!("word1({})", self.bool(scope, depth)),
            _ => leaf(self),
        }
    }

    /// A value of a type.
    pub(super) fn constant(&mut self, kind: &Kind) -> String {
        match kind {
            Kind::Bool => ["FALSE", "TRUE"][self.random.index(2)].into(),
            Kind::Range(first, last) if last - first > 100 => self.random.index(5).to_string(),
            Kind::Range(first, _) => {
                (first + i64::try_from(self.random.index(kind.size() as usize)).unwrap_or(0)).to_string()
            }
            Kind::Numbers(values) => self.random.pick(values).to_string(),
            Kind::Symbols(values) => (*self.random.pick(values)).into(),
            Kind::Word { signed, width } => self.word_constant(*signed, *width),
        }
    }

    /// Common updates in real models: increment modulo the range, negate, keep.
    pub(super) fn moves(&mut self, name: &str, kind: &Kind, scope: &Scope) -> String {
        let condition = self.bool(scope, 0);
        match kind {
            Kind::Bool => format!("(({condition}) ? !{name} : {name})"),
            Kind::Range(first, last) => match self.random.index(3) {
                0 => format!("({name} < {last} ? {name} + 1 : {first})"),
                1 => format!("(({condition}) & {name} < {last} ? {name} + 1 : {name})"),
                _ => format!("(({condition}) & {name} > {first} ? {{{name} - 1, {name}}} : {last})"),
            },
            Kind::Word { signed: false, width } => format!("({name} + 0ud{width}_1)"),
            Kind::Word { width, .. } => format!("(({condition}) ? {name} : signed(unsigned({name}) + 0ud{width}_1))"),
            _ => {
                let (a, b) = (self.constant(kind), self.constant(kind));
                format!("case {name} = {a} : {b}; ({condition}) : {name}; TRUE : {a}; esac")
            }
        }
    }

    fn word_constant(&mut self, signed: bool, width: u8) -> String {
        let value = self.random.below(1 << width);
        match signed {
            false if self.random.percent(50) => format!("0ud{width}_{value}"),
            false => format!("0b{width}_{value:0width$b}", width = usize::from(width)),
            true => format!("0sb{width}_{value:0width$b}", width = usize::from(width)),
        }
    }

    /// A `case`; it is exhaustive unless partial expressions are wanted.
    fn case(&mut self, scope: &Scope, depth: u32, mut value: impl FnMut(&mut Self) -> String) -> String {
        let mut text = String::from("case ");
        for _ in 0..=self.random.index(2) {
            let _ = write!(text, "({}) : ({}); ", self.bool(scope, depth), value(self));
        }
        if scope.partial && self.random.percent(30) {
            text.push_str("esac");
            return text;
        }
        let _ = write!(text, "TRUE : ({}); esac", value(self));
        text
    }

    /// An expression whose values are all in a type; with `several`, perhaps a set.
    pub(super) fn within(&mut self, kind: &Kind, scope: &Scope, depth: u32, several: bool) -> String {
        let set = several && !matches!(kind, Kind::Word { .. }) && self.random.percent(30);
        if set {
            let (a, b) = (self.within(kind, scope, depth, false), self.within(kind, scope, depth, false));
            return match (self.random.index(4), kind) {
                (0, Kind::Range(first, last)) => format!("{first}..{last}"),
                (1, _) => format!("(({a}) union ({b}))"),
                (2, _) => format!("(({}) ? {{{a}, {b}}} : ({a}))", self.bool(scope, 0)),
                _ => format!("{{{a}, {b}}}"),
            };
        }
        if depth > 0 && self.random.percent(35) {
            let depth = depth - 1;
            return self.case(scope, depth, |writer| writer.within(kind, scope, depth, several));
        }
        let name = self.name(scope, |other| kind.covers(other)).filter(|_| self.random.percent(40));
        name.unwrap_or_else(|| match kind {
            Kind::Bool => self.bool(scope, depth),
            Kind::Word { signed, width } => self.word(scope, depth, *signed, *width),
            Kind::Symbols(values) => (*self.random.pick(values)).into(),
            Kind::Numbers(values) => self.random.pick(values).to_string(),
            Kind::Range(first, last) => {
                let default = self.constant(kind);
                if depth == 0 || self.random.percent(30) {
                    return default;
                }
                let value = self.int(scope, depth);
                format!("(({value}) >= {first} & ({value}) <= {last} ? ({value}) : {default})")
            }
        })
    }
}
