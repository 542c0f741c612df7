//! Parser of rules.

use super::super::ast::{Ident, RuleId, RuleKind, TermId, TermKind};
use super::super::codes;
use super::super::lexer::Kind;
use super::Parser;
use crate::diagnostic::Diagnostic;

impl Parser<'_> {
    pub(super) fn rule(&mut self) -> Option<RuleId> {
        self.nested(Self::rule_here)
    }

    fn rule_here(&mut self) -> Option<RuleId> {
        let start = self.peek().span;
        let word = if self.peek().kind == Kind::Word { self.text() } else { "" };
        let kind = match word {
            "skip" => {
                self.bump();
                RuleKind::Skip
            }
            "par" => RuleKind::Par(self.block("endpar")?),
            "seq" => RuleKind::Seq(self.block("endseq")?),
            "if" => {
                self.bump();
                let condition = self.term()?;
                self.expect("then")?;
                let then = self.rule()?;
                let otherwise = if self.eat("else") { Some(self.rule()?) } else { None };
                self.close("endif", start)?;
                RuleKind::If(condition, then, otherwise)
            }
            "switch" => {
                self.bump();
                let scrutinee = self.term()?;
                let mut cases = Vec::new();
                while self.eat("case") {
                    let value = self.term()?;
                    self.expect(":")?;
                    cases.push((value, self.rule()?));
                }
                let otherwise = if self.eat("otherwise") {
                    self.eat(":");
                    Some(self.rule()?)
                } else {
                    None
                };
                self.close("endswitch", start)?;
                RuleKind::Switch(scrutinee, cases, otherwise)
            }
            "let" => {
                let bindings = self.bindings()?;
                let body = self.rule()?;
                self.close("endlet", start)?;
                RuleKind::Let(bindings, body)
            }
            "forall" => {
                self.bump();
                let binders = self.binders()?;
                let condition = if self.eat("with") { Some(self.term()?) } else { None };
                self.expect("do")?;
                RuleKind::Forall(binders, condition, self.rule()?)
            }
            "choose" => {
                self.bump();
                let binders = self.binders()?;
                let condition = if self.eat("with") { Some(self.term()?) } else { None };
                self.expect("do")?;
                let body = self.rule()?;
                let none = if self.eat("ifnone") { Some(self.rule()?) } else { None };
                RuleKind::Choose(binders, condition, body, none)
            }
            "extend" => {
                self.bump();
                let domain = self.ident("a domain")?;
                self.expect("with")?;
                let mut vars = vec![self.var()?];
                while self.eat(",") {
                    vars.push(self.var()?);
                }
                self.expect("do")?;
                RuleKind::Extend(domain, vars, self.rule()?)
            }
            "while" | "whilerec" => {
                self.bump();
                let condition = self.term()?;
                self.expect("do")?;
                RuleKind::While(condition, self.rule()?)
            }
            // Repeats its body until it makes no updates.
            "iterate" => {
                self.bump();
                let always = self.add(TermKind::Bool(true), start);
                let body = self.rule()?;
                self.close("enditerate", start)?;
                RuleKind::While(always, body)
            }
            "try" | "turbo" => {
                let message = format!("`{word}` is not supported");
                self.report(Diagnostic::error(codes::UNSUPPORTED, start, message));
                return None;
            }
            _ if word.starts_with("r_") && self.text_of(self.peek_at(1)) == "[" => {
                let name = self.ident("a rule")?;
                let args = self.arguments()?;
                RuleKind::Call(name, args)
            }
            // A turbo rule is called in parentheses.
            _ if word.starts_with("r_") && self.text_of(self.peek_at(1)) == "(" => self.turbo_call()?,
            _ if self.at_return() => {
                let location = self.unary()?;
                self.bump();
                self.bump();
                let here = self.peek().span;
                let call = self.turbo_call()?;
                let call = self.add_rule(call, here);
                let name = Ident { text: "result".into(), span: here };
                let value = self.add(TermKind::Apply(name, Vec::new()), here);
                RuleKind::Return(location, value, call)
            }
            _ => return self.update(),
        };
        Some(self.add_rule(kind, start))
    }

    /// `r_x(t, u)`
    fn turbo_call(&mut self) -> Option<RuleKind> {
        let name = self.ident("a rule")?;
        self.expect("(")?;
        Some(RuleKind::Call(name, self.list(")", Self::term)?))
    }

    /// Whether a location and `<-` come next.
    fn at_return(&self) -> bool {
        if !matches!(self.peek().kind, Kind::Word | Kind::Var) {
            return false;
        }
        let (mut at, mut depth) = (1, 0);
        loop {
            let token = self.peek_at(at);
            match self.text_of(token) {
                "(" => depth += 1,
                ")" if depth > 0 => depth -= 1,
                _ if depth > 0 && token.kind != Kind::Eof => {}
                "<" => {
                    let dash = self.peek_at(at + 1);
                    let is_arrow = self.text_of(dash) == "-" && dash.span.start == token.span.end;
                    return is_arrow && self.text_of(self.peek_at(at + 2)).starts_with("r_");
                }
                _ => return false,
            }
            at += 1;
        }
    }

    /// `f(x) := t`, or a term that denotes a rule.
    fn update(&mut self) -> Option<RuleId> {
        let start = self.peek().span;
        if !matches!(self.peek().kind, Kind::Word | Kind::Var | Kind::Sign)
            || (self.peek().kind == Kind::Sign && !self.at("<<"))
        {
            self.expected("a rule");
            return None;
        }
        let location = self.term()?;
        if self.eat(":=") {
            let value = self.term()?;
            return Some(self.add_rule(RuleKind::Update(location, value), start));
        }
        if matches!(self.file[location].kind, TermKind::Apply(..) | TermKind::Var(_) | TermKind::Rule(_)) {
            let args = if self.at("[") { self.arguments()? } else { Vec::new() };
            return Some(self.add_rule(RuleKind::Term(location, args), start));
        }
        self.expected("`:=`");
        None
    }

    /// `[t, u]`
    fn arguments(&mut self) -> Option<Vec<TermId>> {
        self.expect("[")?;
        self.list("]", Self::term)
    }

    fn block(&mut self, close: &str) -> Option<Vec<RuleId>> {
        let start = self.bump().span;
        let mut rules = Vec::new();
        while !self.at(close) {
            if self.peek().kind == Kind::Eof || self.at("endpar") || self.at("endseq") {
                self.close(close, start)?;
            }
            rules.push(self.rule()?);
        }
        self.bump();
        Some(rules)
    }
}
