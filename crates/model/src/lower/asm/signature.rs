//! The declared names: domains with their elements, functions, rules.

use super::value::{Const, Sym};
use super::{Env, Lowering, Stop};
use rustc_hash::FxHashMap;
use specwright_syntax::asm::ast::{self, DomainKind, DomainRef, File, FunctionKind, TermId};
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::{Diagnostic, closest};
use specwright_syntax::span::Span;
use std::rc::Rc;
use std::sync::Arc;

/// So many elements a domain may have where all of them are listed.
const MOST_ELEMENTS: usize = 1 << 16;

/// A domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Dom {
    Bool,
    Int {
        natural: bool,
    },
    Text,
    Real,
    /// Anything at all.
    Any,
    Rule,
    Named(usize),
    Prod(Vec<Dom>),
    Set(Box<Dom>),
    /// A sequence, bag or map of finite things is not finite.
    Endless(&'static str),
}

/// A declared domain.
pub(super) struct Domain {
    pub(super) name: Arc<str>,
    pub(super) span: Span,
    pub(super) kind: NamedKind,
    /// Where its elements are given.
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
    pub(super) kind: FunctionKind,
    pub(super) params: Vec<Dom>,
    pub(super) codomain: Dom,
    pub(super) definition: Option<Definition<'a>>,
    pub(super) initial: Option<Definition<'a>>,
    /// Whether a rule may update it.
    pub(super) updated: bool,
    /// Whether it is mentioned anywhere but in its own definition.
    pub(super) mentioned: bool,
}

/// All names.
#[derive(Default)]
pub(super) struct Signature<'a> {
    pub(super) domains: Vec<Domain>,
    pub(super) domain_names: FxHashMap<Arc<str>, usize>,
    pub(super) functions: Vec<Function<'a>>,
    /// By name and number of parameters.
    pub(super) function_names: FxHashMap<(Arc<str>, usize), usize>,
    pub(super) enum_constants: FxHashMap<Arc<str>, usize>,
    /// Rules of one name are told apart by their parameters.
    pub(super) rules: FxHashMap<Arc<str>, Vec<(usize, &'a ast::RuleDef)>>,
    /// The programs of agents: domain, file and rule.
    pub(super) programs: Vec<(usize, usize, ast::RuleId)>,
}

impl<'a> Lowering<'a> {
    /// Reads all declarations.
    pub(super) fn declare(&mut self) {
        for basic in ["Agent", "Reserve"] {
            let index = self.sig.domains.len();
            let domain = Domain { name: basic.into(), span: Span::NONE, kind: NamedKind::Abstract, definition: None };
            self.sig.domains.push(domain);
            self.sig.domain_names.insert(basic.into(), index);
        }
        let files: &'a [File] = self.files;
        // Names first, since domains may refer to later ones.
        for file in files {
            for decl in &file.domains {
                if matches!(decl.kind, DomainKind::Other) || self.sig.domain_names.contains_key(&decl.name.text) {
                    let known = self.sig.domain_names.get(&decl.name.text).map(|at| self.sig.domains[*at].span);
                    // What two files declare is shared.
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
            for def in defs {
                match self.sig.domain_names.get(&def.name.text) {
                    Some(index) => self.sig.domains[*index].definition = Some((at, def.body)),
                    None => self.unknown("domain", &def.name.text, def.name.span),
                }
            }
            self.declare_functions(file);
        }
        for (at, file) in files.iter().enumerate() {
            self.declare_definitions(at, file);
        }
    }

    fn declare_functions(&mut self, file: &'a File) {
        for decl in &file.functions {
            let params: Result<Vec<Dom>, Stop> = decl.params.iter().map(|param| self.domain(param)).collect();
            let (Ok(params), Ok(codomain)) = (params, self.domain(&decl.codomain)) else { continue };
            let key = (decl.name.text.clone(), params.len());
            if let Some(first) = self.sig.function_names.get(&key) {
                let first = &self.sig.functions[*first];
                let (same, first) = (first.params == params, first.span);
                if !same {
                    let message =
                        format!("`{}` is declared for different domains, which is not supported", decl.name.text);
                    self.report(
                        Diagnostic::error(codes::UNSUPPORTED, decl.name.span, message)
                            .also(first, "declared here, too"),
                    );
                } else if file.functions.iter().any(|other| other.name.span == first) {
                    self.duplicate("function", &decl.name, first);
                }
                continue;
            }
            self.sig.function_names.insert(key, self.sig.functions.len());
            self.sig.functions.push(Function {
                name: decl.name.text.clone(),
                span: decl.name.span,
                kind: decl.kind,
                params,
                codomain,
                definition: None,
                initial: None,
                updated: false,
                mentioned: false,
            });
        }
    }

    fn declare_definitions(&mut self, at: usize, file: &'a File) {
        for def in &file.function_defs {
            if let Some(index) = self.function_of(def) {
                self.sig.functions[index].definition = Some(Definition { file: at, def });
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
        // Only the machine itself has an initial state; those of what it imports are for those machines.
        if at > 0 {
            return;
        }
        let Some(init) = file.inits.iter().find(|init| init.default).or(file.inits.first()) else { return };
        for def in &init.function_defs {
            if let Some(index) = self.function_of(def) {
                self.sig.functions[index].initial = Some(Definition { file: at, def });
            }
        }
        for (name, rule) in &init.agents {
            match self.sig.domain_names.get(&name.text) {
                Some(index) => self.sig.programs.push((*index, at, *rule)),
                None => self.unknown("domain", &name.text, name.span),
            }
        }
    }

    fn function_of(&mut self, def: &ast::FunctionDef) -> Option<usize> {
        let found = self.sig.function_names.get(&(def.name.text.clone(), def.params.len())).copied();
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

    /// A domain as it is mentioned.
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
            "Seq" => Dom::Endless("sequences"),
            "Bag" => Dom::Endless("bags"),
            "Map" => Dom::Endless("maps"),
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
            Dom::Endless(what) => (*what).into(),
        }
    }

    /// What a domain is a part of, in the end.
    pub(super) fn base(&self, dom: &Dom) -> Dom {
        let mut dom = dom.clone();
        // A circle of subsets ends after as many steps as there are domains.
        for _ in 0..=self.sig.domains.len() {
            match &dom {
                Dom::Named(index) => match &self.sig.domains[*index].kind {
                    NamedKind::Subset(parent) => dom = parent.clone(),
                    _ => return dom,
                },
                _ => return dom,
            }
        }
        Dom::Any
    }

    /// Whether one domain is another or a part of it.
    fn is_within(&self, dom: &Dom, outer: usize) -> bool {
        let mut dom = dom.clone();
        for _ in 0..=self.sig.domains.len() {
            match &dom {
                Dom::Named(index) if *index == outer => return true,
                Dom::Named(index) => match &self.sig.domains[*index].kind {
                    NamedKind::Subset(parent) => dom = parent.clone(),
                    _ => return false,
                },
                _ => return false,
            }
        }
        false
    }

    /// Whether a function without parameters is an element of an abstract domain.
    pub(super) fn is_element(&self, function: &Function<'_>) -> bool {
        function.kind == FunctionKind::Static
            && function.params.is_empty()
            && function.definition.is_none_or(|definition| self.is_own_name(definition))
            && matches!(self.base(&function.codomain), Dom::Named(index)
                if matches!(self.sig.domains[index].kind, NamedKind::Abstract))
    }

    /// Whether a definition says that something is itself, which is how elements were declared once.
    fn is_own_name(&self, definition: Definition<'_>) -> bool {
        matches!(&self.files[definition.file][definition.def.body].kind,
            ast::TermKind::Apply(name, args) if args.is_empty() && name.text == definition.def.name.text)
    }

    /// The elements of a domain; nothing if there is no end of them.
    pub(super) fn elements(&mut self, dom: &Dom, span: Span) -> Result<Option<Rc<[Const]>>, Stop> {
        Ok(Some(match dom {
            Dom::Bool => [Const::Bool(false), Const::Bool(true)].into(),
            Dom::Named(index) => return self.named_elements(*index, span),
            Dom::Prod(parts) => {
                let mut lists = Vec::new();
                for part in parts {
                    let Some(list) = self.elements(part, span)? else { return Ok(None) };
                    lists.push(list);
                }
                self.product(&lists, span)?.into_iter().map(Const::Tuple).collect()
            }
            Dom::Set(inner) => {
                let Some(items) = self.elements(inner, span)? else { return Ok(None) };
                if items.len() > 12 {
                    let n = items.len();
                    return Err(self.too_large(span, &format!("the sets of {n} elements are too many to list")));
                }
                let subset = |bits: usize| {
                    let chosen = items.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
                    Const::set(chosen.map(|(_, item)| item.clone()).collect())
                };
                (0..1usize << items.len()).map(subset).collect()
            }
            _ => return Ok(None),
        }))
    }

    /// All combinations, the last list going fastest.
    pub(super) fn product<T: Clone>(&mut self, lists: &[Rc<[T]>], span: Span) -> Result<Vec<Vec<T>>, Stop> {
        let size = lists.iter().map(|list| list.len()).try_fold(1usize, usize::checked_mul);
        if size.is_none_or(|size| size > MOST_ELEMENTS) {
            return Err(
                self.too_large(span, &format!("there are more than {MOST_ELEMENTS} combinations of values here"))
            );
        }
        let mut all = vec![Vec::new()];
        for list in lists {
            all = all
                .into_iter()
                .flat_map(|row| {
                    list.iter().map(move |item| {
                        let mut row = row.clone();
                        row.push(item.clone());
                        row
                    })
                })
                .collect();
        }
        Ok(all)
    }

    fn named_elements(&mut self, index: usize, span: Span) -> Result<Option<Rc<[Const]>>, Stop> {
        if let Some(known) = self.elements_memo.get(&index) {
            return known.clone();
        }
        if self.listing.contains(&index) {
            let message = format!("domain `{}` is defined by itself", self.sig.domains[index].name);
            return Err(self.stop(Diagnostic::error(codes::CIRCULAR, self.sig.domains[index].span, message)));
        }
        self.listing.push(index);
        let elements = self.list_elements(index, span);
        self.listing.pop();
        self.elements_memo.insert(index, elements.clone());
        elements
    }

    fn list_elements(&mut self, index: usize, span: Span) -> Result<Option<Rc<[Const]>>, Stop> {
        if let Some((file, body)) = self.sig.domains[index].definition {
            let env = Env::new(self, file);
            let body_span = self.files[file][body].span;
            let sym = self.eval(body, &env)?;
            let members = self.members_of(&sym);
            let Some(members) = members else { return Err(self.wrong_kind(body_span, "a set", &sym)) };
            let mut items = Vec::new();
            for (item, _) in members {
                match item.known() {
                    Some(item) => items.push(item),
                    None => return Err(self.wrong_kind(body_span, "a set that is known in advance", &sym)),
                }
            }
            // A set in the order in which it was written: the first value is the one that tests prefer.
            if let Sym::Known(Const::Set(_)) = sym {
                items = self.written_order(file, body, items);
            }
            return Ok(Some(items.into()));
        }
        let base = self.base(&Dom::Named(index));
        match &self.sig.domains[index].kind {
            NamedKind::Enum(names) => return Ok(Some(names.iter().cloned().map(Const::Atom).collect())),
            NamedKind::Subset(_) if !matches!(base, Dom::Named(_)) => {
                return match base {
                    Dom::Prod(_) | Dom::Bool => self.elements(&base, span),
                    _ => Ok(None),
                };
            }
            NamedKind::Subset(parent) => {
                if let Dom::Named(enumeration) = base
                    && matches!(self.sig.domains[enumeration].kind, NamedKind::Enum(_))
                {
                    let parent = parent.clone();
                    return self.elements(&parent, span);
                }
            }
            NamedKind::Abstract => {}
        }
        let elements = self.sig.functions.iter().filter(|function| self.is_element(function));
        let inside = elements.filter(|function| self.is_within(&function.codomain, index));
        Ok(Some(inside.map(|function| Const::Atom(function.name.clone())).collect()))
    }

    fn written_order(&self, file: usize, body: TermId, sorted: Vec<Const>) -> Vec<Const> {
        let ast::TermKind::Set(terms) = &self.files[file][body].kind else { return sorted };
        let mut items: Vec<Const> = Vec::new();
        for term in terms {
            let item = match &self.files[file][*term].kind {
                ast::TermKind::Apply(name, args) if args.is_empty() => Const::Atom(name.text.clone()),
                ast::TermKind::String(text) => Const::Atom(format!("\"{text}\"").into()),
                _ => return sorted,
            };
            if !items.contains(&item) {
                items.push(item);
            }
        }
        if items.len() == sorted.len() && items.iter().all(|item| sorted.contains(item)) { items } else { sorted }
    }
}

/// Whether two rules of a file have parameters of the same domains.
fn same_params(file: &File, a: &ast::RuleDef, b: &ast::RuleDef) -> bool {
    let name = |binder: &ast::Binder| match &file[binder.range].kind {
        ast::TermKind::Apply(name, _) => name.text.to_string(),
        ast::TermKind::Domain(domain) => format!("{domain:?}"),
        _ => String::new(),
    };
    a.params.len() == b.params.len() && a.params.iter().zip(&b.params).all(|(a, b)| name(a) == name(b))
}
