//! Domains: their supersets and their elements.

use super::either::Form;
use super::signature::{Definition, Dom, Function, NamedKind};
use super::structures::tuple_of;
use super::value::{Const, Sym, Values};
use super::{Env, Lowering, Stop};
use specwright_syntax::asm::ast::{self, FunctionKind, TermId};
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use std::rc::Rc;

/// Maximal number of elements of a domain that is enumerated, to bound the size of the model.
const MAX_ELEMENTS: usize = 1 << 16;

impl Lowering<'_> {
    /// The root of the chain of `subsetof`.
    pub(super) fn base(&self, dom: &Dom) -> Dom {
        let mut dom = dom.clone();
        // The number of domains bounds the length of a chain, also of a circular one.
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

    /// Whether a domain is equal to or a subset of another.
    pub(super) fn is_within(&self, dom: &Dom, outer: usize) -> bool {
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

    /// Whether a value may belong to a domain.
    pub(super) fn may_be_in(&mut self, dom: &Dom, value: &Sym) -> bool {
        if let Sym::Either(cases) = value {
            return cases.iter().any(|(case, _)| self.may_be_in(dom, case));
        }
        let form = Form::of(value);
        match (self.base(dom), form) {
            (Dom::Any, _) | (_, Form::Undef) => true,
            (Dom::Bool, _) => form == Form::Bool,
            (Dom::Int { .. }, _) => form == Form::Int,
            (Dom::Real, _) => matches!(form, Form::Int | Form::Ratio),
            (Dom::Text, _) => super::texts::may_be_text(value),
            (Dom::Rule, _) => super::calls::may_be_rule(value),
            (Dom::Set(_), _) => form == Form::Set,
            (Dom::Seq(_), _) => matches!(form, Form::Seq(_)),
            (Dom::Prod(parts), _) => tuple_of(value).is_some_and(|items| {
                items.len() == parts.len() && parts.iter().zip(&items).all(|(part, item)| self.may_be_in(part, item))
            }),
            (Dom::Named(_), Form::Atom) => {
                let Some(single) = self.single(value) else { return false };
                let (Values::Atoms(atoms), Ok(Some(elements))) = (single.values, self.elements(dom, Span::NONE)) else {
                    return false;
                };
                atoms.iter().any(|atom| elements.contains(&Const::Atom(atom.clone())))
            }
            (Dom::Named(_) | Dom::Infinite(_), _) => false,
        }
    }

    /// Whether a function without parameters is an element of an abstract domain.
    pub(super) fn is_element(&self, function: &Function<'_>) -> bool {
        // A derived function without a definition can only be an element.
        matches!(function.kind, FunctionKind::Static | FunctionKind::Derived)
            && function.params.is_empty()
            && function.definition.is_none_or(|definition| self.is_own_name(definition))
            && matches!(self.base(&function.codomain), Dom::Named(index)
                if matches!(self.sig.domains[index].kind, NamedKind::Abstract))
    }

    /// Whether a definition defines a name as itself, the older notation for elements.
    fn is_own_name(&self, definition: Definition<'_>) -> bool {
        matches!(&self.files[definition.file][definition.def.body].kind,
            ast::TermKind::Apply(name, args) if args.is_empty() && name.text == definition.def.name.text)
    }

    /// The elements of a domain; `None` if it is infinite.
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

    /// The Cartesian product; the last list varies fastest.
    pub(super) fn product<T: Clone>(&mut self, lists: &[Rc<[T]>], span: Span) -> Result<Vec<Vec<T>>, Stop> {
        let size = lists.iter().map(|list| list.len()).try_fold(1usize, usize::checked_mul);
        if size.is_none_or(|size| size > MAX_ELEMENTS) {
            return Err(
                self.too_large(span, &format!("there are more than {MAX_ELEMENTS} combinations of values here"))
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
            let message = format!("domain `{}` is defined in terms of itself", self.sig.domains[index].name);
            return Err(self.stop(Diagnostic::error(codes::CIRCULAR, self.sig.domains[index].span, message)));
        }
        self.listing.push(index);
        let reserved = self.reserved_elements(index);
        let elements = self
            .list_elements(index, span)
            .map(|elements| elements.map(|elements| elements.iter().cloned().chain(reserved).collect::<Rc<[Const]>>()));
        self.listing.pop();
        self.elements_memo.insert(index, elements.clone());
        elements
    }

    fn list_elements(&mut self, index: usize, span: Span) -> Result<Option<Rc<[Const]>>, Stop> {
        if self.real_ends(index).is_some() {
            return Ok(None);
        }
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
            // A set keeps its source order: tests prefer the first value.
            if let Sym::Known(Const::Set(_)) = sym {
                items = self.source_order(file, body, items);
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

    /// The ends of a domain of numbers with a fraction: `domain D = {-0.5 : 0.5}`.
    pub(super) fn real_ends(&self, index: usize) -> Option<(usize, TermId, TermId)> {
        let (file, body) = self.sig.domains[index].definition?;
        let ast::TermKind::Range(first, last, None) = self.files[file][body].kind else { return None };
        let is_real = |term: TermId| match self.files[file][term].kind {
            ast::TermKind::Real(_) => true,
            ast::TermKind::Neg(inner) => matches!(self.files[file][inner].kind, ast::TermKind::Real(_)),
            _ => false,
        };
        let is_in_real = self.base(&Dom::Named(index)) == Dom::Real;
        (is_in_real && (is_real(first) || is_real(last))).then_some((file, first, last))
    }

    fn source_order(&self, file: usize, body: TermId, sorted: Vec<Const>) -> Vec<Const> {
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
