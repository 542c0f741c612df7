//! The tree of module instances and their names.
//!
//! Types and expressions are not analysed here, so names may be used before they are declared.

use super::names::Meaning;
use super::{Constancy, Decl, Def, DefId, DefState, Lowering, NodeId};
use crate::model::Instance;
use rustc_hash::FxHashMap;
use specwright_syntax::diagnostic::{Diagnostic, closest};
use specwright_syntax::smv::ast::{self, ItemKind, TypeKind};
use specwright_syntax::smv::codes;
use specwright_syntax::span::Span;
use std::sync::Arc;

pub(super) type InstId = usize;

/// Maximal number of instances: more indicate exponential instantiation.
const MAX_INSTANCES: usize = 100_000;

/// A module instance.
pub(super) struct Inst {
    /// Its full name; empty for main.
    pub(super) path: String,
    /// The process that it belongs to; itself if it is a process.
    pub(super) process: InstId,
    pub(super) names: FxHashMap<Arc<str>, Entry>,
    /// The names of its properties.
    pub(super) property_names: FxHashMap<Arc<str>, Span>,
}

/// The meaning of a name of an instance, and its declaration.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) kind: EntryKind,
    pub(super) span: Span,
}

#[derive(Clone, Copy)]
pub(super) enum EntryKind {
    /// A parameter: the actual parameter, its instance, and its define if it needed one.
    Param {
        actual: ast::ExprId,
        inst: InstId,
        def: Option<DefId>,
    },
    /// A variable, by the index of its declaration.
    Var(usize),
    Define(DefId),
    Instance(InstId),
    /// A variable that is not declared in the source.
    Node(NodeId),
    /// Whether this process is running.
    Running,
}

impl Inst {
    /// The full name of a name in this instance.
    pub(super) fn full_name(&self, name: &str) -> String {
        if self.path.is_empty() { name.into() } else { format!("{}.{name}", self.path) }
    }
}

impl<'a> Lowering<'a> {
    /// Creates all instances; false without a main module.
    pub(super) fn instantiate_main(&mut self, main: &str) -> bool {
        for (index, module) in self.file.modules.iter().enumerate() {
            if let Some(&first) = self.modules.get(&module.name.text) {
                let message = format!("module `{}` is declared twice", module.name.text);
                self.report(
                    Diagnostic::error(codes::DUPLICATE, module.name.span, message)
                        .label("declared again")
                        .also(self.file.modules[first].name.span, "first declared here"),
                );
            } else {
                self.modules.insert(module.name.text.clone(), index);
            }
        }
        let Some(&index) = self.modules.get(main) else {
            let span = self.file.modules.first().map_or(Span::new(0, 0), |module| module.name.span);
            let mut diagnostic = Diagnostic::error(codes::NO_MAIN, span, format!("there is no module `{main}`"))
                .note("a model starts from it");
            let names = self.file.modules.iter().map(|module| &*module.name.text);
            if let Some(name) = closest(main, names) {
                diagnostic = diagnostic.suggest("a module with a similar name exists", span, main);
                diagnostic.suggestions.retain(|_| self.file.modules.first().is_some_and(|m| &*m.name.text == name));
                diagnostic = diagnostic.help(format!("did you mean `{name}`?"));
            }
            self.report(diagnostic);
            return false;
        };
        let module = &self.file.modules[index];
        if let Some(param) = module.params.first() {
            let message = format!("module `{main}` cannot have parameters");
            self.report(Diagnostic::error(codes::WRONG_PARAMETERS, param.span, message).note("a model starts from it"));
            return false;
        }
        let main = self.add_inst(String::new(), module, None);
        self.instantiate(main, index, &mut vec![index]);
        self.declare_dotted();
        self.add_running_flags();
        true
    }

    fn add_inst(&mut self, path: String, module: &ast::Module, process: Option<InstId>) -> InstId {
        self.model.budget.look();
        let id = self.insts.len();
        let instance =
            Instance { path: path.clone(), module: module.name.text.to_string(), process: process == Some(id) };
        self.model.source.instances.push(instance);
        self.insts.push(Inst {
            path,
            process: process.unwrap_or(id),
            names: FxHashMap::default(),
            property_names: FxHashMap::default(),
        });
        id
    }

    /// Adds the items of a module to an instance.
    fn instantiate(&mut self, inst: InstId, module: usize, stack: &mut Vec<usize>) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            self.used_modules.insert(module);
            let module = &self.file.modules[module];
            for item in &module.items {
                if let ItemKind::Defines(defines) = &item.kind {
                    for define in defines {
                        let def = self.add_def(inst, &define.name.text, define.body, define.name.span);
                        self.declare(inst, &define.name, EntryKind::Define(def));
                    }
                }
            }
            for item in &module.items {
                self.items.push((inst, item));
                match &item.kind {
                    ItemKind::Vars(kind, decls) => {
                        for decl in decls {
                            self.instantiate_var(inst, *kind, decl, stack);
                        }
                    }
                    ItemKind::Isa(name) => self.inherit(inst, name, stack),
                    ItemKind::Constants(names) => {
                        let n_decls = self.decls.len();
                        self.constants.extend(names.iter().map(|name| (n_decls, name)));
                    }
                    _ => {}
                }
            }
        });
    }

    fn instantiate_var(&mut self, inst: InstId, kind: ast::VarKind, decl: &'a ast::VarDecl, stack: &mut Vec<usize>) {
        self.model.budget.look();
        let TypeKind::Instance { process, module, args } = &decl.ty.kind else {
            let index = self.decls.len();
            let name = self.insts[inst].full_name(&decl.name.text);
            self.decls.push(Decl { inst, kind, source: decl, name, node: None });
            self.declare(inst, &decl.name, EntryKind::Var(index));
            return;
        };
        if kind != ast::VarKind::State {
            let message = "only `VAR` can hold a module instance";
            self.report(Diagnostic::error(codes::BAD_TYPE, decl.ty.span, message));
        }
        let Some(index) = self.find_module(module, stack) else { return };
        if self.insts.len() >= MAX_INSTANCES {
            let message = format!("there are more than {MAX_INSTANCES} module instances");
            self.report(Diagnostic::error(codes::TOO_MANY_INSTANCES, decl.name.span, message));
            return;
        }
        let target = &self.file.modules[index];
        let path = self.insts[inst].full_name(&decl.name.text);
        let parent_process = self.insts[inst].process;
        let new = self.insts.len();
        self.add_inst(path, target, Some(if *process { new } else { parent_process }));
        if *process {
            if self.processes.is_empty() {
                self.processes.push(0);
            }
            self.processes.push(new);
        }
        self.declare(inst, &decl.name, EntryKind::Instance(new));
        if args.len() != target.params.len() {
            let (wanted, given) = (target.params.len(), args.len());
            let message = format!("module `{}` takes {}, not {given}", module.text, count(wanted, "parameter"));
            self.report(
                Diagnostic::error(codes::WRONG_PARAMETERS, decl.ty.span, message)
                    .label(format!("{} given", count(given, "parameter")))
                    .also(target.name.span, format!("takes {}", count(wanted, "parameter"))),
            );
        }
        for (param, &actual) in target.params.iter().zip(args) {
            self.declare(new, param, EntryKind::Param { actual, inst, def: None });
        }
        stack.push(index);
        self.instantiate(new, index, stack);
        stack.pop();
    }

    /// `ISA M`: the items of `M` become items of this instance.
    fn inherit(&mut self, inst: InstId, name: &'a ast::Ident, stack: &mut Vec<usize>) {
        let Some(index) = self.find_module(name, stack) else { return };
        if let Some(param) = self.file.modules[index].params.first() {
            let message = format!("module `{}` has parameters, so it cannot be inherited", name.text);
            self.report(
                Diagnostic::error(codes::WRONG_PARAMETERS, name.span, message)
                    .also(param.span, "a parameter without a value"),
            );
            return;
        }
        if !self.inherited.insert((inst, index)) {
            let message = format!("module `{}` is inherited twice", name.text);
            self.report(Diagnostic::error(codes::DUPLICATE, name.span, message));
            return;
        }
        stack.push(index);
        self.instantiate(inst, index, stack);
        stack.pop();
    }

    fn find_module(&mut self, name: &ast::Ident, stack: &[usize]) -> Option<usize> {
        let Some(&index) = self.modules.get(&name.text) else {
            let message = format!("unknown module `{}`", name.text);
            let mut diagnostic = Diagnostic::error(codes::UNKNOWN_MODULE, name.span, message);
            let names = self.file.modules.iter().map(|module| &*module.name.text);
            if let Some(near) = closest(&name.text, names) {
                diagnostic = diagnostic.suggest("a module with a similar name exists", name.span, near);
            }
            self.report(diagnostic);
            return None;
        };
        if let Some(at) = stack.iter().position(|&outer| outer == index) {
            let chain: Vec<_> =
                stack[at..].iter().chain([&index]).map(|&m| format!("`{}`", self.file.modules[m].name.text)).collect();
            let message = format!("module `{}` contains itself", name.text);
            let mut diagnostic = Diagnostic::error(codes::RECURSIVE_MODULE, name.span, message)
                .also(self.file.modules[index].name.span, "inside this module");
            if chain.len() > 2 {
                diagnostic = diagnostic.note(format!("{} contains {}", chain[0], chain[1..].join(", which contains ")));
            }
            self.report(diagnostic);
            return None;
        }
        Some(index)
    }

    pub(super) fn add_def(&mut self, inst: InstId, name: &str, body: ast::ExprId, span: Span) -> DefId {
        let name = self.insts[inst].full_name(name);
        self.defs.push(Def { name, body, inst, span, state: DefState::New, constant: Constancy::Unknown });
        self.defs.len() - 1
    }

    fn declare(&mut self, inst: InstId, name: &'a ast::Ident, kind: EntryKind) {
        if name.text.contains('.') {
            self.dotted.push((inst, name, kind));
        } else {
            self.declare_as(inst, &name.text, name.span, kind);
        }
    }

    /// `DEFINE p.x := e;` declares a name in the instance `p`, which may be a parameter.
    fn declare_dotted(&mut self) {
        for (inst, name, kind) in std::mem::take(&mut self.dotted) {
            let parts: Vec<&str> = name.text.split('.').collect();
            let (last, path) = parts.split_last().expect("splitting gives at least one part");
            let owner = path.iter().try_fold(inst, |owner, part| match self.resolve_name(owner, part, name.span) {
                Meaning::Instance(inner) => Some(inner),
                _ => None,
            });
            let Some(owner) = owner else {
                self.declare_as(inst, &name.text, name.span, kind);
                continue;
            };
            let full_name = self.insts[owner].full_name(last);
            match kind {
                EntryKind::Define(def) => self.defs[def].name = full_name,
                EntryKind::Var(decl) => self.decls[decl].name = full_name,
                _ => {}
            }
            self.declare_as(owner, last, name.span, kind);
        }
    }

    fn declare_as(&mut self, inst: InstId, name: &str, span: Span, kind: EntryKind) {
        let entry = Entry { kind, span };
        let first = *self.insts[inst].names.entry(name.into()).or_insert(entry);
        if first.span != span {
            // Defines are declared before variables, whatever their source order.
            let (earlier, later) = if first.span < span { (first, entry) } else { (entry, first) };
            let what = match earlier.kind {
                EntryKind::Param { .. } => "it is already a parameter",
                EntryKind::Define(_) => "first defined here",
                _ => "first declared here",
            };
            self.report(
                Diagnostic::error(codes::DUPLICATE, later.span, format!("`{name}` is declared twice"))
                    .label("declared again")
                    .also(earlier.span, what),
            );
        }
    }

    /// Where there are processes, each of them, including main, has a flag `running`.
    fn add_running_flags(&mut self) {
        for index in 0..self.processes.len() {
            let inst = self.processes[index];
            if let Some(entry) = self.insts[inst].names.get("running") {
                let message = "`running` says whether a process runs; it cannot be declared where there are processes";
                self.report(Diagnostic::error(codes::DUPLICATE, entry.span, message));
                continue;
            }
            self.insts[inst].names.insert("running".into(), Entry { kind: EntryKind::Running, span: Span::NONE });
        }
    }
}

/// `1 parameter`, `2 parameters`.
pub(super) fn count(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}
