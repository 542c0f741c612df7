//! Name resolution in expressions: variables and arrays, defines, parameters, instances, constants.
//!
//! Parameters are passed by name: an actual parameter that is a name is an alias; any other one becomes a define, so
//! that the expression exists once however often the parameter is used. A parameter has the same meaning from outside
//! of its module, as `inst.p`.

use super::instances::{EntryKind, InstId};
use super::{DefId, Lowering, NodeId, VarNode};
use crate::model::DefineId;
use crate::value::Symbol;
use specwright_syntax::diagnostic::{Diagnostic, closest};
use specwright_syntax::smv::ast::{self, ExprKind};
use specwright_syntax::smv::codes;
use specwright_syntax::span::Span;

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Vars(NodeId),
    Def(DefId),
    /// A define of a finished model.
    Define(DefineId),
    Symbol(Symbol),
    Instance(InstId),
    /// Not a name but an expression, such as an element at a variable index.
    Expr,
    /// An unknown name.
    Unknown(Unknown),
    /// A variable whose type is not known yet, while bounds of types are evaluated.
    Untyped,
    /// A name with an error that was reported.
    Broken,
}

/// An unknown name.
#[derive(Clone, Debug)]
pub(super) struct Unknown {
    /// The instance in which it was looked up.
    inst: InstId,
    /// The name within that instance; dots and brackets may be part of declared names.
    name: String,
    span: Span,
}

impl Lowering<'_> {
    /// The meaning of an expression that is a name.
    pub(super) fn resolve(&mut self, inst: InstId, expr: ast::ExprId) -> Meaning {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.resolve_path(inst, expr))
    }

    fn resolve_path(&mut self, inst: InstId, expr: ast::ExprId) -> Meaning {
        if self.flat.is_some() {
            return self.resolve_flat(expr);
        }
        let file = self.file;
        let span = self.span(expr);
        match &file.exprs[expr].kind {
            ExprKind::Name(name) => self.resolve_name(inst, name, span),
            ExprKind::SelfRef => Meaning::Instance(inst),
            ExprKind::Field(base, field) => match self.resolve(inst, *base) {
                Meaning::Instance(inner) => self.resolve_name(inner, &field.text, field.span),
                Meaning::Unknown(unknown) => self.resolve_compound(&unknown, &format!(".{}", field.text), span),
                Meaning::Broken => Meaning::Broken,
                // A constant may have the name of an instance, and `x.0` may be declared beside `x`.
                _ => self.resolve_beside(inst, *base, &field.text, span).unwrap_or_else(|| {
                    let message = format!("this has no part `{}`: it is not a module instance", field.text);
                    self.report(
                        Diagnostic::error(codes::NOT_A_VALUE, self.span(*base), message)
                            .also(field.span, "a part of it is used here"),
                    );
                    Meaning::Broken
                }),
            },
            ExprKind::Index(base, index) => match self.resolve(inst, *base) {
                Meaning::Vars(node) => self.resolve_element(inst, node, *index),
                Meaning::Unknown(unknown) => match self.literal(*index) {
                    Some(index) => self.resolve_compound(&unknown, &format!("[{index}]"), span),
                    None => Meaning::Unknown(unknown),
                },
                Meaning::Instance(_) | Meaning::Symbol(_) => match (&file.exprs[*base].kind, self.literal(*index)) {
                    (ExprKind::Name(name), Some(index)) => {
                        let unknown = Unknown { inst, name: name.to_string(), span: self.span(*base) };
                        self.resolve_compound(&unknown, &format!("[{index}]"), span)
                    }
                    _ => Meaning::Expr,
                },
                Meaning::Broken => Meaning::Broken,
                Meaning::Untyped => Meaning::Untyped,
                Meaning::Def(_) | Meaning::Define(_) | Meaning::Expr => Meaning::Expr,
            },
            _ => Meaning::Expr,
        }
    }

    /// Names such as `v[3]` and `a.b` may be declared as such, without an array or instance.
    fn resolve_compound(&mut self, unknown: &Unknown, more: &str, span: Span) -> Meaning {
        let name = format!("{}{more}", unknown.name);
        let names = &self.insts[unknown.inst].names;
        if names.contains_key(&*name) {
            self.resolve_name(unknown.inst, &name, span)
        } else if names.keys().any(|known| known.starts_with(&name)) {
            // A longer name may be declared.
            Meaning::Unknown(Unknown { inst: unknown.inst, name, span })
        } else {
            Meaning::Unknown(unknown.clone())
        }
    }

    /// A name such as `x.0` that is declared as such although `x` is a variable: NuSMV names the bits of `x` so.
    fn resolve_beside(&mut self, inst: InstId, base: ast::ExprId, field: &str, span: Span) -> Option<Meaning> {
        let (inst, name) = self.declared_name(inst, base)?;
        let unknown = Unknown { inst, name, span: self.span(base) };
        match self.resolve_compound(&unknown, &format!(".{field}"), span) {
            Meaning::Unknown(none) if none.name == unknown.name => None,
            target => Some(target),
        }
    }

    /// The instance in which a path is declared, and the name there.
    fn declared_name(&mut self, inst: InstId, path: ast::ExprId) -> Option<(InstId, String)> {
        let file = self.file;
        match &file.exprs[path].kind {
            ExprKind::Name(name) => Some((inst, name.to_string())),
            ExprKind::Field(base, field) => match self.resolve(inst, *base) {
                Meaning::Instance(inner) => Some((inner, field.text.to_string())),
                _ => self.declared_name(inst, *base).map(|(inst, name)| (inst, format!("{name}.{}", field.text))),
            },
            ExprKind::Index(base, index) => {
                let index = self.literal(*index)?;
                self.declared_name(inst, *base).map(|(inst, name)| (inst, format!("{name}[{index}]")))
            }
            _ => None,
        }
    }

    pub(super) fn resolve_name(&mut self, inst: InstId, name: &str, span: Span) -> Meaning {
        let symbol = self.model.context.symbols.get(name);
        let Some(entry) = self.insts[inst].names.get(name).copied() else {
            return match symbol {
                Some(symbol) => Meaning::Symbol(symbol),
                None => Meaning::Unknown(Unknown { inst, name: name.into(), span }),
            };
        };
        if let (Some(symbol), false) = (symbol, matches!(entry.kind, EntryKind::Instance(_))) {
            let place = self.symbol_spans.get(&symbol).copied().unwrap_or(Span::NONE);
            let message = format!("`{name}` is both a symbolic constant and something else");
            self.report(
                Diagnostic::error(codes::AMBIGUOUS_NAME, span, message)
                    .label("this name is ambiguous")
                    .also(entry.span, "declared here")
                    .also(place, "a constant here"),
            );
            return Meaning::Broken;
        }
        match entry.kind {
            EntryKind::Instance(inner) => Meaning::Instance(inner),
            EntryKind::Define(def) | EntryKind::Param { def: Some(def), .. } => Meaning::Def(def),
            EntryKind::Node(node) => Meaning::Vars(node),
            EntryKind::Running => self.running.get(&inst).map_or(Meaning::Broken, |define| Meaning::Define(*define)),
            EntryKind::Var(decl) => match self.decls[decl].node {
                Some(node) => match self.nodes[node] {
                    VarNode::Broken => Meaning::Broken,
                    VarNode::Constant(def) => Meaning::Def(def),
                    _ => Meaning::Vars(node),
                },
                None => Meaning::Untyped,
            },
            EntryKind::Param { actual, inst: outer, def: None } => {
                // Instances may pass parameters in a circle, which then have no meaning.
                if !self.resolving.insert((inst, actual)) {
                    let message = format!("the parameter `{name}` stands for itself");
                    let diagnostic = Diagnostic::error(codes::CIRCULAR, self.span(actual), message);
                    self.report(diagnostic.also(entry.span, "the parameter"));
                    return Meaning::Broken;
                }
                let target =
                    if is_path(&self.file.exprs[actual].kind) { self.resolve(outer, actual) } else { Meaning::Expr };
                self.resolving.remove(&(inst, actual));
                match target {
                    Meaning::Expr => {
                        let def = self.add_def(inst, name, actual, entry.span);
                        self.defs[def].inst = outer;
                        let kind = EntryKind::Param { actual, inst: outer, def: Some(def) };
                        self.insts[inst].names.insert(name.into(), super::instances::Entry { kind, span: entry.span });
                        Meaning::Def(def)
                    }
                    target => target,
                }
            }
        }
    }

    /// An element of an array at a constant index is a variable; at any other index it is an expression.
    fn resolve_element(&mut self, inst: InstId, node: NodeId, index: ast::ExprId) -> Meaning {
        let VarNode::Array(first, items) = &self.nodes[node] else { return Meaning::Expr };
        let (first, n_items) = (*first, items.len());
        let Some(at) = self.constant(inst, index) else { return Meaning::Expr };
        let item =
            usize::try_from(i128::from(at) - i128::from(first)).ok().and_then(|offset| items_at(self, node, offset));
        let Some(item) = item else {
            let last = first.saturating_add_unsigned(n_items as u64).saturating_sub(1);
            let message = format!("index {at} is outside of {first}..{last}");
            self.report(Diagnostic::error(codes::OUT_OF_RANGE, self.span(index), message));
            return Meaning::Broken;
        };
        match self.nodes[item] {
            VarNode::Constant(def) => Meaning::Def(def),
            VarNode::Broken => Meaning::Broken,
            _ => Meaning::Vars(item),
        }
    }

    /// A literal number with its sign.
    pub(super) fn literal(&self, expr: ast::ExprId) -> Option<i64> {
        use crate::op::UnaryOp;
        match &self.file.exprs[expr].kind {
            ExprKind::Int(number) => Some(*number),
            ExprKind::Unary(UnaryOp::Neg, inner) => match &self.file.exprs[*inner].kind {
                ExprKind::Int(number) => number.checked_neg(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Reports an unknown name, with suggestions.
    pub(super) fn report_unknown(&mut self, unknown: &Unknown) {
        let (name, span) = (unknown.name.as_str(), unknown.span);
        // The module and not the instance is named, so that a mistake in a module is reported once for all instances.
        let instance = self.model.source.instances.get(unknown.inst).filter(|inst| !inst.path.is_empty());
        let instance = instance.filter(|_| self.flat.is_none());
        let message = match instance {
            Some(instance) => format!("unknown name `{name}` in module `{}`", instance.module),
            None => format!("unknown name `{name}`"),
        };
        let mut diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, span, message);
        let names = self.visible_names(unknown.inst);
        let known = |part: &str| names.iter().any(|name| name == part);
        // A hyphen is part of a name, which is a common surprise.
        let split = name.match_indices('-').find(|(at, _)| {
            let (left, right) = (&name[..*at], &name[at + 1..]);
            let is_operand = |part: &str| known(part) || part.parse::<i64>().is_ok();
            is_operand(left) && is_operand(right)
        });
        if let Some((at, _)) = split {
            let spaced = format!("{} - {}", &name[..at], &name[at + 1..]);
            diagnostic = diagnostic.note("`-` may be part of a name, so a subtraction needs spaces").suggest(
                "to subtract, write",
                span,
                spaced,
            );
        } else if name == "running" && self.processes.is_empty() {
            diagnostic = diagnostic.note("`running` exists only where there are processes");
        } else if let Some(meant) = meant_constant(name).filter(|_| !known(name)) {
            diagnostic = diagnostic.suggest("the constant is written in capitals", span, meant);
        } else if let Some(near) = closest(name, names.iter().map(String::as_str)) {
            diagnostic = diagnostic.suggest("a similar name exists", span, near);
        } else if self.flat.is_none() && !self.is_parameter(unknown) {
            diagnostic = diagnostic.help("declare a value that no type has under `CONSTANTS`");
        }
        self.report(diagnostic);
    }

    /// Whether an unknown name is a parameter of the module, for which an instance has no value.
    fn is_parameter(&self, unknown: &Unknown) -> bool {
        let instance = self.model.source.instances.get(unknown.inst);
        let module = instance.and_then(|instance| self.modules.get(instance.module.as_str()));
        module.is_some_and(|module| self.file.modules[*module].params.iter().any(|param| *param.text == unknown.name))
    }

    /// All names visible in an instance, sorted.
    fn visible_names(&self, inst: InstId) -> Vec<String> {
        let mut names: Vec<String> = self.model.context.symbols.names().map(String::from).collect();
        match (&self.flat, self.insts.get(inst)) {
            (Some(flat), _) => names.extend(flat.names()),
            (None, Some(inst)) =>
            {
                #[expect(clippy::iter_over_hash_type, reason = "sorted below")]
                for name in inst.names.keys() {
                    names.push(name.to_string());
                }
            }
            (None, None) => {}
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// An unknown name of the flat model.
    pub(super) fn unknown(name: String, span: Span) -> Meaning {
        Meaning::Unknown(Unknown { inst: 0, name, span })
    }
}

fn items_at(lowering: &Lowering<'_>, node: NodeId, offset: usize) -> Option<NodeId> {
    match &lowering.nodes[node] {
        VarNode::Array(_, items) => items.get(offset).copied(),
        _ => None,
    }
}

/// Whether an expression has the syntax of a name.
pub(super) fn is_path(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::Name(_) | ExprKind::SelfRef | ExprKind::Field(..) | ExprKind::Index(..))
}

/// `true` and `False` are ordinary names in SMV.
fn meant_constant(name: &str) -> Option<&'static str> {
    match name.to_ascii_lowercase().as_str() {
        "true" => Some("TRUE"),
        "false" => Some("FALSE"),
        _ => None,
    }
}
