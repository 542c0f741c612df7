//! Declarations, definitions, properties and initial states.

use super::super::ast::{
    Binder, DomainDecl, DomainDef, DomainKind, FunctionDecl, FunctionDef, FunctionKind, Ident, Import, Init, Property,
    PropertyKind, RuleDef,
};
use super::super::codes;
use super::super::lexer::Kind;
use super::Parser;
use crate::diagnostic::Diagnostic;

/// Keywords that begin an item; parsing resumes there after an error.
const STARTS: [&str; 29] = [
    "import",
    "export",
    "signature",
    "definitions",
    "domain",
    "function",
    "rule",
    "macro",
    "turbo",
    "main",
    "default",
    "init",
    "agent",
    "invariant",
    "CTLSPEC",
    "LTLSPEC",
    "INVAR",
    "JUSTICE",
    "enum",
    "abstract",
    "anydomain",
    "basic",
    "static",
    "derived",
    "dynamic",
    "controlled",
    "monitored",
    "shared",
    "out",
];

impl Parser<'_> {
    pub(super) fn file(&mut self) {
        while self.at("asyncr") || self.at("syncr") {
            self.bump();
        }
        self.file.module = self.at("module");
        if self.at("asm") || self.at("module") {
            self.bump();
            self.file.name = self.ident("the name of the machine");
        } else {
            self.expected("`asm` or `module`");
        }
        while self.peek().kind != Kind::Eof {
            let before = self.at;
            if self.item().is_none() {
                self.recover(before);
            }
        }
    }

    /// Skips to the next keyword that begins an item; always advances by at least one token.
    fn recover(&mut self, before: usize) {
        if self.at == before {
            self.bump();
        }
        self.depth = 0;
        while self.peek().kind != Kind::Eof && !(self.peek().kind == Kind::Word && STARTS.contains(&self.text())) {
            self.bump();
        }
    }

    fn item(&mut self) -> Option<()> {
        let start = self.peek().span;
        let word = if self.peek().kind == Kind::Word { self.text() } else { "" };
        match word {
            "import" => self.import()?,
            "export" => {
                self.bump();
                if !self.eat("*") {
                    self.ident("a name")?;
                    while self.eat(",") {
                        self.ident("a name")?;
                    }
                }
            }
            "signature" | "definitions" => {
                self.bump();
                self.expect(":")?;
            }
            "enum" | "abstract" | "anydomain" | "basic" | "static" | "derived" | "dynamic" | "controlled"
            | "monitored" | "shared" | "out" | "local" => self.declaration()?,
            "domain" if self.text_of(self.peek_at(2)) == "subsetof" => self.declaration()?,
            "domain" => {
                let def = self.domain_def()?;
                self.file.domain_defs.push(def);
            }
            "function" => {
                let def = self.function_def()?;
                self.file.function_defs.push(def);
            }
            "main" | "macro" | "turbo" | "rule" => self.rule_def()?,
            "invariant" => {
                self.bump();
                let name = if self.at("over") || self.at(":") { None } else { Some(self.ident("a name")?) };
                while !self.at(":") && self.peek().kind != Kind::Eof {
                    self.bump();
                }
                self.expect(":")?;
                let body = self.term()?;
                let span = self.since(start);
                self.file.properties.push(Property { kind: PropertyKind::Invariant, name, body, span });
            }
            "CTLSPEC" | "LTLSPEC" | "INVAR" | "JUSTICE" => {
                let kind = match word {
                    "CTLSPEC" => PropertyKind::Ctl,
                    "LTLSPEC" => PropertyKind::Ltl,
                    "INVAR" => PropertyKind::Invar,
                    _ => PropertyKind::Justice,
                };
                self.bump();
                let named = self.peek().kind == Kind::Word && self.text_of(self.peek_at(1)) == ":";
                let name = if named { Some(self.ident("a name")?) } else { None };
                if named {
                    self.bump();
                }
                let body = self.term()?;
                let span = self.since(start);
                self.file.properties.push(Property { kind, name, body, span });
            }
            "default" | "init" => self.init()?,
            _ => {
                self.expected("a declaration or a definition");
                return None;
            }
        }
        Some(())
    }

    fn import(&mut self) -> Option<()> {
        self.bump();
        let start = self.peek().span;
        // A path ends at the first space; it may be quoted.
        if self.peek().kind == Kind::Eof {
            self.expected("a path");
            return None;
        }
        let mut end = self.bump().span;
        while self.peek().span.start == end.end && self.peek().kind != Kind::Eof && !self.at("(") {
            end = self.bump().span;
        }
        let span = start.to(end);
        let text = self.source.slice(span).trim_matches('"');
        let path = Ident { text: text.strip_suffix(".asm").unwrap_or(text).into(), span };
        let mut names = Vec::new();
        if self.eat("(") {
            loop {
                names.push(self.ident("a name")?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        self.file.imports.push(Import { path, names });
        Some(())
    }

    fn declaration(&mut self) -> Option<()> {
        let dynamic = self.eat("dynamic");
        let word = self.text();
        let kind = match word {
            "enum" => {
                self.bump();
                self.expect("domain")?;
                let name = self.ident("the name of a domain")?;
                self.expect("=")?;
                self.expect("{")?;
                let mut items = vec![self.ident("a constant")?];
                while self.eat("|") || self.eat(",") {
                    items.push(self.ident("a constant")?);
                }
                self.expect("}")?;
                self.file.domains.push(DomainDecl { name, kind: DomainKind::Enum(items) });
                return Some(());
            }
            "abstract" | "basic" => {
                self.bump();
                self.expect("domain")?;
                let name = self.ident("the name of a domain")?;
                let kind = if word == "abstract" { DomainKind::Abstract { dynamic } } else { DomainKind::Other };
                self.file.domains.push(DomainDecl { name, kind });
                return Some(());
            }
            "anydomain" => {
                self.bump();
                let name = self.ident("the name of a domain")?;
                self.file.domains.push(DomainDecl { name, kind: DomainKind::Other });
                return Some(());
            }
            "domain" => {
                self.bump();
                let name = self.ident("the name of a domain")?;
                self.expect("subsetof")?;
                let parent = self.domain_ref()?;
                self.file.domains.push(DomainDecl { name, kind: DomainKind::SubsetOf { parent, dynamic } });
                return Some(());
            }
            "static" => FunctionKind::Static,
            "derived" => FunctionKind::Derived,
            "controlled" => FunctionKind::Controlled,
            "monitored" => FunctionKind::Monitored,
            "shared" => FunctionKind::Shared,
            "out" => FunctionKind::Out,
            "local" => FunctionKind::Local,
            _ => {
                self.expected("the kind of a function, such as `controlled`");
                return None;
            }
        };
        self.bump();
        let name = self.ident("the name of a function")?;
        self.expect(":")?;
        let first = self.domain_ref()?;
        let (params, codomain) = if self.eat("->") {
            let codomain = self.domain_ref()?;
            let params = if &*first.name.text == "Prod" { first.args } else { vec![first] };
            (params, codomain)
        } else {
            (Vec::new(), first)
        };
        self.file.functions.push(FunctionDecl { name, kind, params, codomain });
        Some(())
    }

    fn params(&mut self) -> Option<Vec<Binder>> {
        if !self.eat("(") {
            return Some(Vec::new());
        }
        if self.eat(")") {
            return Some(Vec::new());
        }
        let binders = self.binders()?;
        self.expect(")")?;
        Some(binders)
    }

    fn domain_def(&mut self) -> Option<DomainDef> {
        self.bump();
        let name = self.ident("the name of a domain")?;
        self.expect("=")?;
        Some(DomainDef { name, body: self.term()? })
    }

    fn function_def(&mut self) -> Option<FunctionDef> {
        self.bump();
        let name = self.ident("the name of a function")?;
        let params = self.params()?;
        self.expect("=")?;
        Some(FunctionDef { name, params, body: self.term()? })
    }

    fn rule_def(&mut self) -> Option<()> {
        let main = self.eat("main");
        if !self.eat("macro") {
            self.eat("turbo");
        }
        self.expect("rule")?;
        let name = self.ident("the name of a rule")?;
        let params = self.params()?;
        if self.eat("in") {
            self.domain_ref()?;
        }
        self.expect("=")?;
        let body = self.rule()?;
        if let Some(first) = self.file.main.filter(|_| main) {
            let first = self.file.rules[first].name.span;
            let message = "there is a second main rule";
            self.report(Diagnostic::error(codes::DUPLICATE, name.span, message).also(first, "the first one"));
        }
        self.file.rules.push(RuleDef { name, params, body });
        if main {
            self.file.main = Some(self.file.rules.len() - 1);
        }
        Some(())
    }

    fn init(&mut self) -> Option<()> {
        let default = self.eat("default");
        self.expect("init")?;
        let name = self.ident("the name of the initial state")?;
        if let Some(first) = self.file.inits.iter().find(|init| init.default && default) {
            let first = first.name.span;
            let message = "there is a second default initial state";
            self.report(Diagnostic::error(codes::DUPLICATE, name.span, message).also(first, "the first one"));
        }
        self.expect(":")?;
        let mut init = Init { name, default, domain_defs: Vec::new(), function_defs: Vec::new(), agents: Vec::new() };
        loop {
            let before = self.at;
            let read = if self.at("domain") {
                self.domain_def().map(|def| init.domain_defs.push(def))
            } else if self.at("function") {
                self.function_def().map(|def| init.function_defs.push(def))
            } else if self.at("agent") {
                self.agent().map(|agent| init.agents.push(agent))
            } else {
                break;
            };
            if read.is_none() {
                self.recover(before);
            }
        }
        self.file.inits.push(init);
        Some(())
    }

    fn agent(&mut self) -> Option<(Ident, super::RuleId)> {
        self.bump();
        let name = self.ident("a domain of agents")?;
        self.expect(":")?;
        Some((name, self.rule()?))
    }
}
