//! Signature: declared domains, functions and rules.

use super::{Lowering, Stop};
use rustc_hash::FxHashMap;
use specwright_syntax::asm::ast::{self, DomainKind, DomainRef, File, FunctionKind, TermId};
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::{Diagnostic, closest};
use specwright_syntax::span::Span;
use std::sync::Arc;

/// The function of the standard library that holds what `print` returns.
const RESULT: &str = "result";

/// A domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Dom {
    Bool,
    Int {
        natural: bool,
    },
    Text,
    Real,
    /// `Any`, the union of all domains.
    Any,
    Rule,
    Named(usize),
    Prod(Vec<Dom>),
    Set(Box<Dom>),
    Seq(Box<Dom>),
    /// A domain of bags or maps, which is infinite.
    Infinite(&'static str),
}

/// A declared domain.
pub(super) struct Domain {
    pub(super) name: Arc<str>,
    pub(super) span: Span,
    pub(super) kind: NamedKind,
    /// The definition of its elements.
    pub(super) definition: Option<(usize, TermId)>,
}

pub(super) enum NamedKind {
    Enum(Vec<Arc<str>>),
    Abstract,
    Subset(Dom),
}

/// A definition: file, parameters and body.
#[derive(Clone, Copy)]
pub(super) struct Definition<'a> {
    pub(super) file: usize,
    pub(super) def: &'a ast::FunctionDef,
}

/// A declared function.
pub(super) struct Function<'a> {
    pub(super) name: Arc<str>,
    pub(super) span: Span,
    /// The file that declares it.
    pub(super) file: usize,
    pub(super) kind: FunctionKind,
    pub(super) params: Vec<Dom>,
    pub(super) codomain: Dom,
    pub(super) definition: Option<Definition<'a>>,
    pub(super) initial: Option<Definition<'a>>,
    /// Whether a rule may update it.
    pub(super) updated: bool,
    /// Whether it occurs outside of its own definition.
    pub(super) mentioned: bool,
    /// Whether it is static without a definition: a parameter of the machine, which the environment chooses once.
    pub(super) is_parameter: bool,
}

impl Function<'_> {
    /// Whether only the environment changes it.
    pub(super) fn is_input(&self) -> bool {
        self.kind == FunctionKind::Monitored
            || self.is_parameter
            || (self.kind == FunctionKind::Shared && !self.updated)
    }

    /// Whether both the environment and the rules change it.
    pub(super) fn is_shared(&self) -> bool {
        self.kind == FunctionKind::Shared && self.updated
    }
}

/// All declared names.
#[derive(Default)]
pub(super) struct Signature<'a> {
    pub(super) domains: Vec<Domain>,
    pub(super) domain_names: FxHashMap<Arc<str>, usize>,
    pub(super) functions: Vec<Function<'a>>,
    /// Functions by name and number of parameters; overloads differ in their parameter domains.
    pub(super) function_names: FxHashMap<(Arc<str>, usize), Vec<usize>>,
    pub(super) enum_constants: FxHashMap<Arc<str>, usize>,
    /// Rules by name; overloads differ in their parameters.
    pub(super) rules: FxHashMap<Arc<str>, Vec<(usize, &'a ast::RuleDef)>>,
    /// The programs of agents: domain, file and rule.
    pub(super) programs: Vec<(usize, usize, ast::RuleId)>,
    /// The reserves of extended domains.
    pub(super) reserves: Vec<super::reserve::Reserve>,
}

impl<'a> Lowering<'a> {
    /// Collects all declarations.
    pub(super) fn declare(&mut self) {
        for basic in ["Agent", "Reserve"] {
            let index = self.sig.domains.len();
            let domain = Domain { name: basic.into(), span: Span::NONE, kind: NamedKind::Abstract, definition: None };
            self.sig.domains.push(domain);
            self.sig.domain_names.insert(basic.into(), index);
        }
        let files: &'a [File] = self.files;
        // Names come first, since domains may refer to later ones.
        for file in files {
            for decl in &file.domains {
                if matches!(decl.kind, DomainKind::Other) || self.sig.domain_names.contains_key(&decl.name.text) {
                    let known = self.sig.domain_names.get(&decl.name.text).map(|at| self.sig.domains[*at].span);
                    // Two files may declare the same domain.
                    let here = |span: &Span| file.domains.iter().any(|decl| decl.name.span == *span);
                    if let Some(first) = known.filter(here) {
                        self.duplicate("domain", &decl.name, first);
                    }
                    continue;
                }
                let index = self.sig.domains.len();
                let kind = match &decl.kind {
                    DomainKind::Enum(items) => NamedKind::Enum(items.iter().map(|item| item.text.clone()).collect()),
                    _ => NamedKind::Abstract,
                };
                if let DomainKind::Enum(items) = &decl.kind {
                    for item in items {
                        self.sig.enum_constants.insert(item.text.clone(), index);
                    }
                }
                let (name, span) = (decl.name.text.clone(), decl.name.span);
                self.sig.domains.push(Domain { name: name.clone(), span, kind, definition: None });
                self.sig.domain_names.insert(name, index);
            }
        }
        for file in files {
            for decl in &file.domains {
                if let DomainKind::SubsetOf { parent, .. } = &decl.kind
                    && let Ok(parent) = self.domain(parent)
                {
                    let index = self.sig.domain_names[&decl.name.text];
                    self.sig.domains[index].kind = NamedKind::Subset(parent);
                }
            }
        }
        for (at, file) in files.iter().enumerate() {
            let init = file.inits.iter().find(|init| init.default).or(file.inits.first());
            let defs = file.domain_defs.iter().chain(init.iter().flat_map(|init| &init.domain_defs));
            let mut known: FxHashMap<usize, Span> = FxHashMap::default();
            for def in defs {
                match self.sig.domain_names.get(&def.name.text).copied() {
                    Some(index) => {
                        if let Some(first) = known.insert(index, def.name.span) {
                            self.defined_twice("domain", &def.name, first);
                        }
                        self.sig.domains[index].definition = Some((at, def.body));
                    }
                    None => self.unknown("domain", &def.name.text, def.name.span),
                }
            }
            self.declare_functions(at, file);
        }
        self.declare_result();
        for (at, file) in files.iter().enumerate() {
            self.declare_definitions(at, file);
        }
        for index in 0..self.sig.functions.len() {
            let function = &self.sig.functions[index];
            let is_open = function.kind == FunctionKind::Static && function.definition.is_none();
            self.sig.functions[index].is_parameter = is_open && !self.is_element(function);
        }
    }

    /// Declares `result` of the standard library, which holds what `print` returns, if a machine updates it.
    fn declare_result(&mut self) {
        let is_declared = self.sig.functions.iter().any(|function| &*function.name == RESULT);
        let mut uses = self.files.iter().flat_map(|file| &file.terms);
        if is_declared || !uses.any(|term| matches!(&term.kind, ast::TermKind::Apply(name, _) if &*name.text == RESULT))
        {
            return;
        }
        self.sig.function_names.entry((RESULT.into(), 0)).or_default().push(self.sig.functions.len());
        self.sig.functions.push(Function {
            name: RESULT.into(),
            span: Span::NONE,
            file: 0,
            kind: FunctionKind::Controlled,
            params: Vec::new(),
            codomain: Dom::Any,
            definition: None,
            initial: None,
            updated: false,
            mentioned: false,
            is_parameter: false,
        });
    }

    /// Whether a function is `result` of the standard library, and nothing but updates mention it: it has no variables then.
    pub(super) fn is_unread_result(&self, index: usize) -> bool {
        self.is_result(index) && {
            let (n_all, n_updates, _) = self.count_results();
            n_all == n_updates
        }
    }

    /// Whether a function is `result` of the standard library, and only calls such as `x <- r_rule(t)` read it: it has no
    /// variables either.
    pub(super) fn is_local_result(&self, index: usize) -> bool {
        self.is_result(index) && {
            let (n_all, n_updates, n_returned) = self.count_results();
            n_returned > 0 && n_all == n_updates + n_returned
        }
    }

    fn is_result(&self, index: usize) -> bool {
        let function = &self.sig.functions[index];
        &*function.name == RESULT && function.span == Span::NONE
    }

    /// How often `result` is mentioned, how often it is updated, and how often it is returned.
    fn count_results(&self) -> (usize, usize, usize) {
        let (mut n_all, mut n_updates, mut n_returned) = (0, 0, 0);
        for file in self.files {
            let is_result = |term: &ast::Term| matches!(&term.kind, ast::TermKind::Apply(name, args) if args.is_empty() && &*name.text == RESULT);
            n_all += file.terms.iter().filter(|term| is_result(term)).count();
            for rule in &file.rule_nodes {
                match rule.kind {
                    ast::RuleKind::Update(location, _) => n_updates += usize::from(is_result(&file[location])),
                    ast::RuleKind::Return(..) => n_returned += 1,
                    _ => {}
                }
            }
        }
        (n_all, n_updates, n_returned)
    }

    fn declare_functions(&mut self, at: usize, file: &'a File) {
        for decl in &file.functions {
            let params: Result<Vec<Dom>, Stop> = decl.params.iter().map(|param| self.domain(param)).collect();
            let (Ok(params), Ok(codomain)) = (params, self.domain(&decl.codomain)) else { continue };
            let key = (decl.name.text.clone(), params.len());
            let known = self.sig.function_names.entry(key).or_default();
            // Modules may have functions of their own with the same name and parameters, but other values.
            let is_same = |known: &&usize| {
                let first = &self.sig.functions[**known];
                first.params == params && (first.codomain == codomain || first.file == at)
            };
            if let Some(first) = known.iter().find(is_same) {
                let first = self.sig.functions[*first].span;
                if file.functions.iter().any(|other| other.name.span == first) {
                    self.duplicate("function", &decl.name, first);
                }
                continue;
            }
            known.push(self.sig.functions.len());
            self.sig.functions.push(Function {
                name: decl.name.text.clone(),
                span: decl.name.span,
                file: at,
                kind: decl.kind,
                params,
                codomain,
                definition: None,
                initial: None,
                updated: false,
                mentioned: false,
                is_parameter: false,
            });
        }
    }

    fn declare_definitions(&mut self, at: usize, file: &'a File) {
        for def in &file.function_defs {
            if let Some(index) = self.function_of(at, def) {
                if let Some(first) = self.sig.functions[index].definition.filter(|first| first.file == at) {
                    self.defined_twice("function", &def.name, first.def.name.span);
                }
                self.sig.functions[index].definition = Some(Definition { file: at, def });
                self.expect_kind(index, def, true);
            }
        }
        for rule in &file.rules {
            let same = |other: &(usize, &ast::RuleDef)| other.0 == at && same_params(file, other.1, rule);
            let known = self.sig.rules.entry(rule.name.text.clone()).or_default();
            if let Some((_, first)) = known.iter().find(|other| same(other)) {
                let first = first.name.span;
                self.duplicate("rule", &rule.name, first);
                continue;
            }
            known.push((at, rule));
        }
        // Initial states of imported files are ignored.
        if at > 0 {
            return;
        }
        let Some(init) = file.inits.iter().find(|init| init.default).or(file.inits.first()) else { return };
        for def in &init.function_defs {
            if let Some(index) = self.function_of(at, def) {
                if let Some(first) = self.sig.functions[index].initial {
                    self.defined_twice("function", &def.name, first.def.name.span);
                }
                self.sig.functions[index].initial = Some(Definition { file: at, def });
                self.expect_kind(index, def, false);
            }
        }
        for (name, rule) in &init.agents {
            match self.sig.domain_names.get(&name.text) {
                Some(index) => self.sig.programs.push((*index, at, *rule)),
                None => self.unknown("domain", &name.text, name.span),
            }
        }
    }

    /// The function of a definition: among overloads, the one with the same domains.
    fn function_of(&mut self, file: usize, def: &ast::FunctionDef) -> Option<usize> {
        let known = self.sig.function_names.get(&(def.name.text.clone(), def.params.len())).cloned();
        let mut known = known.unwrap_or_default();
        known.sort_by_key(|index| self.sig.functions[*index].file != file);
        let mut found = known.first().copied();
        if known.len() > 1 {
            let params: Vec<Option<Dom>> =
                def.params.iter().map(|param| self.range_domain(file, param.range)).collect();
            let fits = |index: &&usize| {
                let declared = &self.sig.functions[**index].params;
                declared.iter().zip(&params).all(|(declared, given)| Some(declared) == given.as_ref())
            };
            found = known.iter().find(fits).copied().or(found);
        }
        if found.is_none() {
            let other = self.sig.functions.iter().find(|function| function.name == def.name.text);
            if let Some(other) = other {
                let message = format!(
                    "`{}` is declared with {} parameters and defined with {}",
                    def.name.text,
                    other.params.len(),
                    def.params.len()
                );
                let declared = other.span;
                self.report(
                    Diagnostic::error(codes::BAD_ARGUMENTS, def.name.span, message).also(declared, "declared here"),
                );
            } else {
                self.unknown("function", &def.name.text, def.name.span);
            }
        }
        found
    }

    /// The declared domain of a parameter.
    pub(super) fn range_domain(&mut self, file: usize, range: TermId) -> Option<Dom> {
        let domain = match &self.files[file][range].kind {
            ast::TermKind::Apply(name, args) if args.is_empty() => {
                DomainRef { name: name.clone(), args: Vec::new(), span: name.span }
            }
            ast::TermKind::Domain(domain) => domain.clone(),
            _ => return None,
        };
        self.domain(&domain).ok()
    }

    /// Static and derived functions have definitions, the others initial values; reports the opposite.
    fn expect_kind(&mut self, index: usize, def: &ast::FunctionDef, is_definition: bool) {
        let function = &self.sig.functions[index];
        if is_definition == matches!(function.kind, FunctionKind::Static | FunctionKind::Derived) {
            return;
        }
        let (message, help) = if is_definition {
            let help = "initial values belong to the initial state, after `default init s0:`";
            (format!("`{}` changes, so it has no definition", function.name), help)
        } else {
            let help = "its definition belongs before the main rule";
            (format!("`{}` never changes by itself, so it has no initial value", function.name), help)
        };
        let declared = function.span;
        let diagnostic = Diagnostic::error(codes::MISPLACED, def.name.span, message).also(declared, "declared here");
        self.report(diagnostic.help(help));
    }

    fn defined_twice(&mut self, what: &str, name: &ast::Ident, first: Span) {
        let message = format!("{what} `{}` is defined twice", name.text);
        self.report(Diagnostic::error(codes::DUPLICATE, name.span, message).also(first, "first defined here"));
    }

    fn duplicate(&mut self, what: &str, name: &ast::Ident, first: Span) {
        let message = format!("{what} `{}` is declared twice", name.text);
        self.report(Diagnostic::error(codes::DUPLICATE, name.span, message).also(first, "first declared here"));
    }

    /// Reports a name that is not declared.
    pub(super) fn unknown(&mut self, what: &str, name: &str, span: Span) {
        let names: Vec<Arc<str>> = match what {
            "domain" => self.sig.domain_names.keys().cloned().collect(),
            "rule" => self.sig.rules.keys().cloned().collect(),
            _ => {
                let functions = self.sig.functions.iter().map(|function| function.name.clone());
                functions.chain(self.sig.enum_constants.keys().cloned()).collect()
            }
        };
        let mut diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, span, format!("there is no {what} `{name}`"));
        if let Some(similar) = closest(name, names.iter().map(|name| &**name)) {
            diagnostic = diagnostic.suggest("there is a similar name", span, similar);
        }
        self.report(diagnostic);
    }

    /// Resolves a reference to a domain.
    pub(super) fn domain(&mut self, domain: &DomainRef) -> Result<Dom, Stop> {
        let mut args = Vec::new();
        for arg in &domain.args {
            args.push(self.domain(arg)?);
        }
        if let Some(index) = self.sig.domain_names.get(&domain.name.text) {
            return Ok(Dom::Named(*index));
        }
        Ok(match &*domain.name.text {
            "Boolean" => Dom::Bool,
            "Integer" => Dom::Int { natural: false },
            "Natural" => Dom::Int { natural: true },
            "String" | "Char" => Dom::Text,
            "Real" | "Complex" => Dom::Real,
            "Any" | "Undef" | "D" => Dom::Any,
            "Rule" => Dom::Rule,
            "Prod" => Dom::Prod(args),
            "Powerset" if args.len() == 1 => Dom::Set(Box::new(args.remove(0))),
            "Seq" if args.len() == 1 => Dom::Seq(Box::new(args.remove(0))),
            "Bag" => Dom::Infinite("bags"),
            "Map" => Dom::Infinite("maps"),
            name => {
                self.unknown("domain", name, domain.name.span);
                return Err(Stop);
            }
        })
    }

    pub(super) fn domain_text(&self, dom: &Dom) -> String {
        match dom {
            Dom::Bool => "Boolean".into(),
            Dom::Int { natural: true } => "Natural".into(),
            Dom::Int { natural: false } => "Integer".into(),
            Dom::Text => "String".into(),
            Dom::Real => "Real".into(),
            Dom::Any => "Any".into(),
            Dom::Rule => "Rule".into(),
            Dom::Named(index) => self.sig.domains[*index].name.to_string(),
            Dom::Prod(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.domain_text(part)).collect();
                format!("Prod({})", parts.join(", "))
            }
            Dom::Set(inner) => format!("Powerset({})", self.domain_text(inner)),
            Dom::Seq(inner) => format!("Seq({})", self.domain_text(inner)),
            Dom::Infinite(what) => (*what).into(),
        }
    }
}

/// Whether two rules of a file have the same parameter domains.
fn same_params(file: &File, a: &ast::RuleDef, b: &ast::RuleDef) -> bool {
    let name = |binder: &ast::Binder| match &file[binder.range].kind {
        ast::TermKind::Apply(name, _) => name.text.to_string(),
        ast::TermKind::Domain(domain) => format!("{domain:?}"),
        _ => String::new(),
    };
    a.params.len() == b.params.len() && a.params.iter().zip(&b.params).all(|(a, b)| name(a) == name(b))
}
