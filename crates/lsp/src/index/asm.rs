//! The symbols of an AsmetaL file and of those that it imports.
//!
//! Names of domains, functions and rules are looked up in the file itself first, then in what it imports. Functions with one
//! name are told apart by the number of their arguments. Variables belong to their binders.

use super::{Call, Index, Kind, Outline, SymbolId, one_line};
use specwright::syntax::asm::ast::{
    Binder, DomainDef, DomainKind, DomainRef, File, FunctionDef, FunctionKind, Ident, PropertyKind, RuleId, RuleKind,
    TermId, TermKind,
};
use specwright::syntax::span::{SourceFile, Span};
use std::collections::BTreeMap;

/// A file with its text, and the numbers of the files that it imports.
pub(crate) struct Part<'a> {
    /// The tree.
    pub(crate) file: &'a File,
    /// The text.
    pub(crate) source: &'a SourceFile,
    /// For each import the number of the file, if it was found.
    pub(crate) imports: Vec<Option<usize>>,
}

/// The symbols of a file, which comes first, and of those that it imports.
pub(crate) fn index(parts: &[Part<'_>]) -> Index {
    let mut indexer = Indexer { parts, index: Index::default(), own: Vec::new() };
    for number in 0..parts.len() {
        indexer.declare(number);
    }
    for number in 0..parts.len() {
        indexer.uses(number);
    }
    let mut index = indexer.index;
    index.finish();
    index
}

/// The names of a file. A function may have several meanings.
type Names = BTreeMap<String, Vec<SymbolId>>;

struct Indexer<'a> {
    parts: &'a [Part<'a>],
    index: Index,
    own: Vec<Names>,
}

/// The variables that binders declare, inner ones last.
type Scope = Vec<(String, SymbolId)>;

impl Indexer<'_> {
    fn declare(&mut self, number: usize) {
        let Part { file, source, .. } = &self.parts[number];
        let mut names = Names::new();
        let is_main = number == 0;
        let text = |span: Span| one_line(source.slice(span));
        let mut outline = Vec::new();
        let add = |outline: &mut Vec<Outline>, index: &Index, symbol: SymbolId, detail: String| {
            if is_main {
                let Some(selection) = index[symbol].definitions.first().copied() else { return };
                let (name, kind, whole) = (index[symbol].name.clone(), index[symbol].kind, index[symbol].whole);
                outline.push(Outline { name, detail, kind, whole, selection, children: Vec::new() });
            }
        };
        for domain in &file.domains {
            let symbol = self.name(&mut names, Kind::Type, "domain", &domain.name, domain.name.span);
            if let DomainKind::Enum(values) = &domain.kind {
                let mut symbols = Vec::new();
                for value in values {
                    let constant = self.index.constant("element", &value.text, value.span);
                    names.entry(value.text.to_string()).or_default().push(constant);
                    symbols.push(constant);
                    let whole = self.index[symbol].whole.to(value.span);
                    self.index.symbol(symbol).whole = whole;
                }
                self.index.symbol(symbol).values = symbols;
            }
            add(&mut outline, &self.index, symbol, "domain".into());
        }
        for function in &file.functions {
            let whole = function.name.span.to(function.codomain.span);
            let kind = if function.params.is_empty() { Kind::Variable } else { Kind::Function };
            let symbol = self.name(&mut names, kind, function_word(function.kind), &function.name, whole);
            let declared = self.index.symbol(symbol);
            declared.ty = Some(function.codomain.span);
            declared.params = function.params.iter().map(|param| param.span).collect();
            let detail = format!("{}: {}", function_word(function.kind), text(function.codomain.span));
            add(&mut outline, &self.index, symbol, detail);
        }
        for rule in &file.rules {
            let body = file[rule.body].span;
            let symbol = self.name(&mut names, Kind::Rule, "rule", &rule.name, rule.name.span.to(body));
            self.index.symbol(symbol).params = rule.params.iter().map(|param| self.binder(number, param)).collect();
            if is_main {
                self.index.folds.push(rule.name.span.to(body));
            }
            add(&mut outline, &self.index, symbol, "rule".into());
        }
        for property in &file.properties {
            let body = file[property.body].span;
            let word = property_word(property.kind);
            match &property.name {
                Some(name) => {
                    let symbol = self.index.declare(Kind::Property, "property", &name.text, name.span, property.span);
                    self.index.symbol(symbol).body = Some(body);
                    add(&mut outline, &self.index, symbol, word.into());
                }
                None if is_main => outline.push(Outline {
                    name: text(body),
                    detail: word.into(),
                    kind: Kind::Property,
                    whole: property.span,
                    selection: body,
                    children: Vec::new(),
                }),
                None => {}
            }
        }
        for init in &file.inits {
            self.index.declare(Kind::Property, "initial state", &init.name.text, init.name.span, init.name.span);
        }
        if is_main {
            self.index.outline.extend(outline);
        }
        self.own.push(names);
    }

    fn name(&mut self, names: &mut Names, kind: Kind, word: &'static str, name: &Ident, whole: Span) -> SymbolId {
        let symbol = self.index.declare(kind, word, &name.text, name.span, whole);
        names.entry(name.text.to_string()).or_default().push(symbol);
        self.index.globals.push(symbol);
        symbol
    }

    fn binder(&self, number: usize, binder: &Binder) -> Span {
        binder.var.span.to(self.parts[number].file[binder.range].span)
    }

    /// The meanings of a name: in the file itself, or else in what it imports, directly or not.
    fn lookup(&self, number: usize, name: &str) -> Vec<SymbolId> {
        let (mut seen, mut waiting) = (vec![number], vec![number]);
        let mut at = 0;
        while at < waiting.len() {
            let file = waiting[at];
            at += 1;
            if let Some(found) = self.own[file].get(name) {
                return found.clone();
            }
            for import in self.parts[file].imports.iter().flatten() {
                if !seen.contains(import) {
                    seen.push(*import);
                    waiting.push(*import);
                }
            }
        }
        Vec::new()
    }

    /// Mentions a name with a number of arguments; the one that is written so, if it is known which.
    fn mention(&mut self, number: usize, name: &Ident, arguments: Option<usize>, is_write: bool) -> Vec<SymbolId> {
        let mut found = self.lookup(number, &name.text);
        let fits = |symbol: &SymbolId| arguments.is_none_or(|n| self.index[*symbol].params.len() == n);
        if found.iter().any(fits) {
            found = found.into_iter().filter(fits).collect();
        }
        for symbol in &found {
            self.index.mention(name.span, *symbol, is_write);
        }
        found
    }

    fn uses(&mut self, number: usize) {
        let file = self.parts[number].file;
        for import in &file.imports {
            for name in &import.names {
                self.mention(number, name, None, false);
            }
        }
        for domain in &file.domains {
            if let DomainKind::SubsetOf { parent, .. } = &domain.kind {
                self.domain(number, parent);
            }
        }
        for function in &file.functions {
            function.params.iter().for_each(|param| self.domain(number, param));
            self.domain(number, &function.codomain);
            // The values of the codomain are those of the function.
            let codomain = self.lookup(number, &function.codomain.name.text);
            let values: Vec<SymbolId> = codomain.iter().flat_map(|domain| self.index[*domain].values.clone()).collect();
            for symbol in self.own[number].get(&*function.name.text).cloned().unwrap_or_default() {
                self.index.symbol(symbol).values.clone_from(&values);
            }
        }
        file.domain_defs.iter().for_each(|def| self.domain_def(number, def));
        file.function_defs.iter().for_each(|def| self.function_def(number, def));
        for rule in &file.rules {
            let mut scope = Scope::new();
            self.bind(number, &rule.params, &mut scope, file[rule.body].span);
            self.rule(number, rule.body, &mut scope);
        }
        for property in &file.properties {
            self.term(number, property.body, &mut Scope::new());
        }
        for init in &file.inits {
            init.domain_defs.iter().for_each(|def| self.domain_def(number, def));
            init.function_defs.iter().for_each(|def| self.function_def(number, def));
            for (domain, rule) in &init.agents {
                self.mention(number, domain, None, false);
                self.rule(number, *rule, &mut Scope::new());
            }
        }
    }

    fn domain(&mut self, number: usize, domain: &DomainRef) {
        self.mention(number, &domain.name, None, false);
        domain.args.iter().for_each(|argument| self.domain(number, argument));
    }

    fn domain_def(&mut self, number: usize, def: &DomainDef) {
        self.mention(number, &def.name, None, true);
        self.term(number, def.body, &mut Scope::new());
    }

    fn function_def(&mut self, number: usize, def: &FunctionDef) {
        self.mention(number, &def.name, Some(def.params.len()), true);
        let mut scope = Scope::new();
        let span = self.parts[number].file[def.body].span;
        self.bind(number, &def.params, &mut scope, span);
        self.term(number, def.body, &mut scope);
    }

    /// Declares the variables of binders; their ranges are terms of what is around.
    fn bind(&mut self, number: usize, binders: &[Binder], scope: &mut Scope, body: Span) {
        for binder in binders {
            self.term(number, binder.range, scope);
            let whole = self.binder(number, binder);
            self.variable(&binder.var, whole, scope, body);
            let range = self.parts[number].file[binder.range].span;
            if let Some((_, symbol)) = scope.last() {
                let symbol = *symbol;
                self.index.symbol(symbol).ty = Some(range);
            }
        }
    }

    fn variable(&mut self, name: &Ident, whole: Span, scope: &mut Scope, body: Span) {
        let symbol = self.index.declare(Kind::Parameter, "variable", &name.text, name.span, whole);
        self.index.scopes.push((name.span.to(body), vec![symbol]));
        scope.push((name.text.to_string(), symbol));
    }

    fn term(&mut self, number: usize, id: TermId, scope: &mut Scope) {
        // The parser bounds the depth of terms.
        let file = self.parts[number].file;
        let term = &file[id];
        let depth = scope.len();
        match &term.kind {
            TermKind::Var(name) => {
                if let Some((_, symbol)) = scope.iter().rev().find(|(known, _)| **known == **name) {
                    let symbol = *symbol;
                    self.index.mention(term.span, symbol, false);
                }
            }
            TermKind::Apply(name, arguments) => {
                let found = self.mention(number, name, Some(arguments.len()), false);
                self.call(number, &found, arguments);
                for argument in arguments {
                    self.term(number, *argument, scope);
                }
            }
            TermKind::Rule(name) => {
                self.mention(number, name, None, false);
            }
            TermKind::Domain(domain) => self.domain(number, domain),
            TermKind::Not(inner) | TermKind::Neg(inner) => self.term(number, *inner, scope),
            TermKind::Binary(_, left, right) => {
                self.term(number, *left, scope);
                self.term(number, *right, scope);
            }
            TermKind::Tuple(items) | TermKind::Set(items) | TermKind::Seq(items) | TermKind::Bag(items) => {
                for item in items {
                    self.term(number, *item, scope);
                }
            }
            TermKind::Range(first, last, step) => {
                [Some(*first), Some(*last), *step]
                    .into_iter()
                    .flatten()
                    .for_each(|part| self.term(number, part, scope));
            }
            TermKind::Comprehension { binders, condition, element, .. } => {
                self.bind(number, binders, scope, term.span);
                if let Some(condition) = condition {
                    self.term(number, *condition, scope);
                }
                self.term(number, *element, scope);
            }
            TermKind::Map(pairs) => {
                for (key, value) in pairs {
                    self.term(number, *key, scope);
                    self.term(number, *value, scope);
                }
            }
            TermKind::If(condition, then, otherwise) => {
                [Some(*condition), Some(*then), *otherwise]
                    .into_iter()
                    .flatten()
                    .for_each(|part| self.term(number, part, scope));
            }
            TermKind::Switch(subject, cases, otherwise) => {
                self.term(number, *subject, scope);
                for (case, value) in cases {
                    self.term(number, *case, scope);
                    self.term(number, *value, scope);
                }
                if let Some(value) = otherwise {
                    self.term(number, *value, scope);
                }
            }
            TermKind::Let(bindings, body) => {
                for (name, value) in bindings {
                    self.term(number, *value, scope);
                    self.variable(name, name.span.to(file[*value].span), scope, term.span);
                }
                self.term(number, *body, scope);
            }
            TermKind::Exists { binders, condition, .. } | TermKind::Forall(binders, condition) => {
                self.bind(number, binders, scope, term.span);
                if let Some(condition) = condition {
                    self.term(number, *condition, scope);
                }
            }
            TermKind::Bool(_)
            | TermKind::Int(_)
            | TermKind::Real(_)
            | TermKind::String(_)
            | TermKind::Undef
            | TermKind::Error => {}
        }
        scope.truncate(depth);
    }

    fn call(&mut self, number: usize, found: &[SymbolId], arguments: &[TermId]) {
        let file = self.parts[number].file;
        if let Some(symbol) = found.first().filter(|symbol| self.index[**symbol].kind == Kind::Rule) {
            let arguments = arguments.iter().map(|argument| file[*argument].span).collect();
            self.index.calls.push(Call { symbol: *symbol, arguments });
        }
    }

    fn rule(&mut self, number: usize, id: RuleId, scope: &mut Scope) {
        let file = self.parts[number].file;
        let rule = &file[id];
        let depth = scope.len();
        self.parts[number].source.budget.look();
        if number == 0 {
            self.index.folds.push(rule.span);
        }
        match &rule.kind {
            RuleKind::Skip | RuleKind::Error => {}
            RuleKind::Update(target, value) => {
                match &file[*target].kind {
                    TermKind::Apply(name, arguments) => {
                        self.mention(number, name, Some(arguments.len()), true);
                        for argument in arguments {
                            self.term(number, *argument, scope);
                        }
                    }
                    _ => self.term(number, *target, scope),
                }
                self.term(number, *value, scope);
            }
            RuleKind::Par(rules) | RuleKind::Seq(rules) => {
                for inner in rules {
                    self.rule(number, *inner, scope);
                }
            }
            RuleKind::If(condition, then, otherwise) => {
                self.term(number, *condition, scope);
                self.rule(number, *then, scope);
                if let Some(inner) = otherwise {
                    self.rule(number, *inner, scope);
                }
            }
            RuleKind::Switch(subject, cases, otherwise) => {
                self.term(number, *subject, scope);
                for (case, inner) in cases {
                    self.term(number, *case, scope);
                    self.rule(number, *inner, scope);
                }
                if let Some(inner) = otherwise {
                    self.rule(number, *inner, scope);
                }
            }
            RuleKind::Let(bindings, body) => {
                for (name, value) in bindings {
                    self.term(number, *value, scope);
                    self.variable(name, name.span.to(file[*value].span), scope, rule.span);
                }
                self.rule(number, *body, scope);
            }
            RuleKind::Forall(binders, condition, body) => {
                self.bind(number, binders, scope, rule.span);
                if let Some(condition) = condition {
                    self.term(number, *condition, scope);
                }
                self.rule(number, *body, scope);
            }
            RuleKind::Choose(binders, condition, body, otherwise) => {
                self.bind(number, binders, scope, rule.span);
                if let Some(condition) = condition {
                    self.term(number, *condition, scope);
                }
                self.rule(number, *body, scope);
                scope.truncate(depth);
                if let Some(inner) = otherwise {
                    self.rule(number, *inner, scope);
                }
            }
            RuleKind::Extend(domain, variables, body) => {
                self.mention(number, domain, None, true);
                for variable in variables {
                    self.variable(variable, variable.span, scope, rule.span);
                }
                self.rule(number, *body, scope);
            }
            RuleKind::While(condition, body) => {
                self.term(number, *condition, scope);
                self.rule(number, *body, scope);
            }
            RuleKind::Call(name, arguments) => {
                let found = self.mention(number, name, Some(arguments.len()), false);
                self.call(number, &found, arguments);
                for argument in arguments {
                    self.term(number, *argument, scope);
                }
            }
            RuleKind::Return(location, _, call) => {
                self.term(number, *location, scope);
                self.rule(number, *call, scope);
            }
            RuleKind::Term(target, arguments) => {
                self.term(number, *target, scope);
                for argument in arguments {
                    self.term(number, *argument, scope);
                }
            }
        }
        scope.truncate(depth);
    }
}

fn function_word(kind: FunctionKind) -> &'static str {
    match kind {
        FunctionKind::Static => "static function",
        FunctionKind::Derived => "derived function",
        FunctionKind::Controlled => "controlled function",
        FunctionKind::Monitored => "monitored function",
        FunctionKind::Shared => "shared function",
        FunctionKind::Out => "out function",
        FunctionKind::Local => "local function",
    }
}

fn property_word(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Invariant => "invariant",
        PropertyKind::Ctl => "CTLSPEC",
        PropertyKind::Ltl => "LTLSPEC",
        PropertyKind::Invar => "INVAR",
        PropertyKind::Justice => "JUSTICE",
    }
}
