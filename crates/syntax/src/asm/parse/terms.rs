//! Parser of terms.

use super::super::ast::{BinaryOp, Binder, DomainRef, Ident, TermId, TermKind};
use super::super::codes;
use super::super::lexer::Kind;
use super::Parser;
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// The infix operators with their precedence, higher binding tighter. `not` is between `and` and the comparisons.
const OPERATORS: [(&str, BinaryOp, u8); 22] = [
    ("iff", BinaryOp::Iff, 1),
    ("<->", BinaryOp::Iff, 1),
    ("implies", BinaryOp::Implies, 2),
    ("or", BinaryOp::Or, 3),
    ("xor", BinaryOp::Xor, 3),
    ("and", BinaryOp::And, 4),
    ("=", BinaryOp::Eq, NOT + 1),
    ("!=", BinaryOp::Ne, NOT + 1),
    ("<", BinaryOp::Lt, NOT + 1),
    ("<=", BinaryOp::Le, NOT + 1),
    (">", BinaryOp::Gt, NOT + 1),
    (">=", BinaryOp::Ge, NOT + 1),
    ("in", BinaryOp::In, NOT + 1),
    ("notin", BinaryOp::NotIn, NOT + 1),
    ("+", BinaryOp::Add, SUM),
    ("-", BinaryOp::Sub, SUM),
    ("*", BinaryOp::Mul, SUM + 1),
    ("/", BinaryOp::Div, SUM + 1),
    ("div", BinaryOp::IntDiv, SUM + 1),
    ("idiv", BinaryOp::IntDiv, SUM + 1),
    ("mod", BinaryOp::Mod, SUM + 1),
    ("^", BinaryOp::Power, SUM + 2),
];
const NOT: u8 = 5;
const SUM: u8 = 7;

/// The constructors of structured domains.
const CONSTRUCTORS: [&str; 6] = ["Prod", "Seq", "Powerset", "Bag", "Map", "Rule"];

/// Keywords that can follow a term but not begin one.
const RESERVED: [&str; 24] = [
    "then",
    "else",
    "endif",
    "case",
    "otherwise",
    "endswitch",
    "endlet",
    "with",
    "do",
    "ifnone",
    "endpar",
    "endseq",
    "in",
    "and",
    "or",
    "xor",
    "implies",
    "iff",
    "mod",
    "div",
    "par",
    "seq",
    "skip",
    "notin",
];

impl Parser<'_> {
    pub(super) fn term(&mut self) -> Option<TermId> {
        self.nested(|parser| parser.binary(1))
    }

    /// An expression whose operators have at least this precedence.
    fn binary(&mut self, least: u8) -> Option<TermId> {
        let start = self.peek().span;
        let mut left = if self.at("not") && least <= NOT {
            self.bump();
            let operand = self.nested(|parser| parser.binary(NOT))?;
            self.add(TermKind::Not(operand), start)
        } else {
            self.unary()?
        };
        loop {
            let token = self.peek();
            let text = self.text();
            let found = OPERATORS.iter().find(|(name, _, strength)| {
                matches!(token.kind, Kind::Word | Kind::Sign) && *name == text && *strength >= least
            });
            let Some(&(_, op, strength)) = found else { return Some(left) };
            self.bump();
            // Implication is right-associative, all others are left-associative.
            let right = if op == BinaryOp::Implies { strength } else { strength + 1 };
            let right = self.nested(|parser| parser.binary(right))?;
            left = self.add(TermKind::Binary(op, left, right), start);
        }
    }

    pub(super) fn unary(&mut self) -> Option<TermId> {
        let start = self.peek().span;
        if self.eat("-") {
            let operand = self.nested(Self::unary)?;
            return Some(match self.file[operand].kind {
                TermKind::Int(value) => self.add(TermKind::Int(value.wrapping_neg()), start),
                _ => self.add(TermKind::Neg(operand), start),
            });
        }
        if self.eat("+") {
            return self.nested(Self::unary);
        }
        // After an operator that binds more, such as `a = not b`.
        if self.eat("not") {
            let operand = self.nested(|parser| parser.binary(NOT))?;
            return Some(self.add(TermKind::Not(operand), start));
        }
        self.primary()
    }

    fn primary(&mut self) -> Option<TermId> {
        let token = self.peek();
        let start = token.span;
        match token.kind {
            Kind::Int => {
                let digits = self.text().trim_end_matches('n');
                let value = digits.parse::<i64>();
                self.bump();
                if value.is_err() {
                    let message = "this number does not fit into 64 bits";
                    self.report(Diagnostic::error(codes::NUMBER_TOO_LARGE, start, message));
                }
                Some(self.add(TermKind::Int(value.unwrap_or(0)), start))
            }
            Kind::Real => {
                let text = self.text().into();
                self.bump();
                Some(self.add(TermKind::Real(text), start))
            }
            Kind::String => {
                let text = self.text().trim_matches(['"', '\'']).into();
                self.bump();
                Some(self.add(TermKind::String(text), start))
            }
            Kind::Var => {
                let text = self.text().into();
                self.bump();
                Some(self.add(TermKind::Var(text), start))
            }
            Kind::Word => self.word(),
            Kind::Sign => match self.text() {
                "(" => self.parenthesis(),
                "{" => self.brace(),
                "[" => self.bracket(),
                "<<" => {
                    self.bump();
                    let name = self.ident("the name of a rule")?;
                    // The domains of its parameters are redundant: the arguments of the call select among rules of one
                    // name.
                    if self.eat("(") {
                        self.list(")", Self::domain_ref)?;
                    }
                    self.expect(">>")?;
                    Some(self.add(TermKind::Rule(name), start))
                }
                "<" => {
                    self.bump();
                    let items = self.list(">", |parser| parser.nested(|parser| parser.binary(SUM)))?;
                    Some(self.add(TermKind::Bag(items), start))
                }
                _ => {
                    self.expected("a term");
                    None
                }
            },
            Kind::Eof => {
                self.expected("a term");
                None
            }
        }
    }

    fn word(&mut self) -> Option<TermId> {
        let start = self.peek().span;
        match self.text() {
            "true" | "false" => {
                let value = self.text() == "true";
                self.bump();
                Some(self.add(TermKind::Bool(value), start))
            }
            "undef" => {
                self.bump();
                Some(self.add(TermKind::Undef, start))
            }
            "if" => self.conditional(),
            "switch" => self.switch(),
            "let" => {
                let bindings = self.bindings()?;
                let body = self.term()?;
                self.close("endlet", start)?;
                Some(self.add(TermKind::Let(bindings, body), start))
            }
            "exist" | "exists" => {
                self.bump();
                let unique = self.eat("unique");
                let (binders, condition) = self.quantified()?;
                Some(self.add(TermKind::Exists { binders, condition, unique }, start))
            }
            "forall" => {
                self.bump();
                let (binders, condition) = self.quantified()?;
                Some(self.add(TermKind::Forall(binders, condition), start))
            }
            name if CONSTRUCTORS.contains(&name) && self.text_of(self.peek_at(1)) == "(" => {
                let domain = self.domain_ref()?;
                Some(self.add(TermKind::Domain(domain), start))
            }
            name if RESERVED.contains(&name) && !(name == "mod" && self.text_of(self.peek_at(1)) == "(") => {
                self.expected("a term");
                None
            }
            _ => {
                let name = self.ident("a name")?;
                let args = if self.eat("(") { self.list(")", Self::term)? } else { Vec::new() };
                Some(self.add(TermKind::Apply(name, args), start))
            }
        }
    }

    fn conditional(&mut self) -> Option<TermId> {
        let start = self.bump().span;
        let condition = self.term()?;
        self.expect("then")?;
        let then = self.term()?;
        let otherwise = if self.eat("else") { Some(self.term()?) } else { None };
        self.close("endif", start)?;
        Some(self.add(TermKind::If(condition, then, otherwise), start))
    }

    fn switch(&mut self) -> Option<TermId> {
        let start = self.bump().span;
        let scrutinee = self.term()?;
        let mut cases = Vec::new();
        while self.eat("case") {
            let value = self.term()?;
            self.expect(":")?;
            cases.push((value, self.term()?));
        }
        let otherwise = if self.eat("otherwise") {
            self.eat(":");
            Some(self.term()?)
        } else {
            None
        };
        self.close("endswitch", start)?;
        Some(self.add(TermKind::Switch(scrutinee, cases, otherwise), start))
    }

    /// `let ($x = t, $y = u) in`
    pub(super) fn bindings(&mut self) -> Option<Vec<(Ident, TermId)>> {
        self.expect("let")?;
        let parenthesis = self.eat("(");
        let mut bindings = Vec::new();
        loop {
            let var = self.var()?;
            self.expect("=")?;
            bindings.push((var, self.nested(|parser| parser.binary(if parenthesis { 1 } else { SUM }))?));
            if !self.eat(",") {
                break;
            }
        }
        if parenthesis {
            self.expect(")")?;
        }
        self.expect("in")?;
        Some(bindings)
    }

    fn quantified(&mut self) -> Option<(Vec<Binder>, Option<TermId>)> {
        let binders = self.binders()?;
        let condition = if self.eat("with") { Some(self.term()?) } else { None };
        Some((binders, condition))
    }

    /// `$x in D, $y in E`
    pub(super) fn binders(&mut self) -> Option<Vec<Binder>> {
        let mut binders = Vec::new();
        loop {
            let var = self.var()?;
            self.expect("in")?;
            binders.push(Binder { var, range: self.nested(|parser| parser.binary(SUM))? });
            if !self.eat(",") {
                return Some(binders);
            }
        }
    }

    /// Comma-separated items up to a closing sign.
    pub(super) fn list<T>(&mut self, close: &str, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Some(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat(close) {
                return Some(items);
            }
            if !self.eat(",") {
                self.expected(&format!("`,` or `{close}`"));
                return None;
            }
        }
    }

    fn parenthesis(&mut self) -> Option<TermId> {
        let start = self.bump().span;
        let mut items = self.list(")", Self::term)?;
        if items.len() == 1 {
            return items.pop();
        }
        Some(self.add(TermKind::Tuple(items), start))
    }

    fn bracket(&mut self) -> Option<TermId> {
        let start = self.bump().span;
        if self.at_comprehension() {
            return self.comprehension(start, "]");
        }
        let items = self.list("]", Self::term)?;
        Some(self.add(TermKind::Seq(items), start))
    }

    fn brace(&mut self) -> Option<TermId> {
        let start = self.bump().span;
        if self.eat("}") {
            return Some(self.add(TermKind::Set(Vec::new()), start));
        }
        if self.at("->") {
            self.bump();
            self.expect("}")?;
            return Some(self.add(TermKind::Map(Vec::new()), start));
        }
        if self.at_comprehension() {
            return self.comprehension(start, "}");
        }
        let first = self.term()?;
        if self.eat("->") {
            let mut pairs = vec![(first, self.term()?)];
            while self.eat(",") {
                let key = self.term()?;
                self.expect("->")?;
                pairs.push((key, self.term()?));
            }
            self.expect("}")?;
            return Some(self.add(TermKind::Map(pairs), start));
        }
        if self.eat(":") || self.eat("..") {
            let last = self.term()?;
            let step = if self.eat(",") || self.eat(":") { Some(self.term()?) } else { None };
            self.expect("}")?;
            return Some(self.add(TermKind::Range(first, last, step), start));
        }
        let mut items = vec![first];
        if !self.eat("}") {
            self.expect(",")?;
            items.extend(self.list("}", Self::term)?);
        }
        Some(self.add(TermKind::Set(items), start))
    }

    fn at_comprehension(&self) -> bool {
        self.peek().kind == Kind::Var && self.text_of(self.peek_at(1)) == "in"
    }

    fn comprehension(&mut self, start: Span, close: &str) -> Option<TermId> {
        let binders = self.binders()?;
        let condition = if self.eat("|") { Some(self.term()?) } else { None };
        let element = if self.eat(":") {
            self.term()?
        } else if binders.len() > 1 {
            self.expected("`:` and the elements");
            return None;
        } else {
            let var = binders[0].var.clone();
            self.add(TermKind::Var(var.text), var.span)
        };
        self.expect(close)?;
        let sequence = close == "]";
        Some(self.add(TermKind::Comprehension { binders, condition, element, sequence }, start))
    }

    /// A reference to a domain.
    pub(super) fn domain_ref(&mut self) -> Option<DomainRef> {
        self.nested(|parser| {
            let start = parser.peek().span;
            let name = parser.ident("a domain")?;
            let args = if parser.eat("(") { parser.list(")", Self::domain_ref)? } else { Vec::new() };
            let span = parser.since(start);
            Some(DomainRef { name, args, span })
        })
    }
}
