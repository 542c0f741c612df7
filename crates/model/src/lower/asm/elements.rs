//! Elements for coverage criteria: rules, their guards and their updates.
//!
//! - `rule`: updates under the same conditions, as in a flat list of guarded rules; a called rule belongs to its
//!   caller. It is exercised when the conditions hold.
//! - `update`: an update of such a rule; it is exercised when it changes its location.
//! - `node`: a rule of any kind in the source; it is exercised when it is executed.
//! - `guard` and `guard-false`: a condition of `if`; it is exercised when it is evaluated to that value.

use super::Lowering;
use crate::expr::ExprId;
use crate::model::Element;
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_syntax::asm::ast::{File, RuleId, RuleKind, TermId, TermKind};
use specwright_syntax::span::Span;
use std::sync::Arc;

/// A block of rules under the same conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BlockId(u32);

impl BlockId {
    /// The unconditional block.
    pub(super) const ROOT: BlockId = BlockId(0);
}

#[derive(Default)]
struct Block {
    /// The conditions under which it is executed, one for each path to it.
    paths: Vec<ExprId>,
    /// Its updates, each with the conditions under which it changes a value; and the rule that has the first of them.
    updates: IndexMap<(usize, RuleId), Vec<ExprId>>,
    rule: Option<Arc<str>>,
}

/// What was recorded while rules were lowered.
#[derive(Default)]
pub(super) struct Coverage {
    blocks: Vec<Block>,
    keys: FxHashMap<(BlockId, usize, RuleId, usize), BlockId>,
    nodes: FxHashMap<(usize, RuleId), Vec<ExprId>>,
    guards: IndexMap<(usize, RuleId), Vec<(ExprId, ExprId)>>,
}

impl Coverage {
    /// Records the execution of a rule.
    pub(super) fn fired(&mut self, file: usize, rule: RuleId, path: ExprId) {
        push_new(self.nodes.entry((file, rule)).or_default(), path);
    }

    /// Records the evaluation of a condition.
    pub(super) fn guard(&mut self, file: usize, rule: RuleId, path: ExprId, condition: ExprId) {
        self.guards.entry((file, rule)).or_default().push((path, condition));
    }

    /// Enters a branch of a rule.
    pub(super) fn enter(&mut self, outer: BlockId, file: usize, rule: RuleId, branch: usize, path: ExprId) -> BlockId {
        if self.blocks.is_empty() {
            self.blocks.push(Block::default());
        }
        let fresh = BlockId(self.blocks.len() as u32);
        let id = *self.keys.entry((outer, file, rule, branch)).or_insert(fresh);
        if id == fresh {
            self.blocks.push(Block::default());
        }
        push_new(&mut self.blocks[id.0 as usize].paths, path);
        id
    }

    /// Records an update and the condition under which it changes a value.
    pub(super) fn update(&mut self, block: BlockId, file: usize, rule: RuleId, name: &Arc<str>, change: ExprId) {
        if self.blocks.is_empty() {
            self.blocks.push(Block::default());
        }
        let block = &mut self.blocks[block.0 as usize];
        block.rule.get_or_insert_with(|| name.clone());
        push_new(block.updates.entry((file, rule)).or_default(), change);
    }
}

fn push_new(list: &mut Vec<ExprId>, item: ExprId) {
    // Long lists stem from large unfoldings, where searching for every item would take quadratic time.
    if list.len() > 256 || !list.contains(&item) {
        list.push(item);
    }
}

impl Lowering<'_> {
    pub(super) fn attach_elements(&mut self) {
        let coverage = std::mem::take(&mut self.coverage);
        self.attach_rules(&coverage);
        self.attach_nodes(&coverage);
        for (&(file, rule), looks) in &coverage.guards {
            let span = self.files[file][rule].span;
            let name = format!("condition at {}", span.start);
            for (kind, outcome) in [("guard", true), ("guard-false", false)] {
                let mut instances = Vec::new();
                for (path, condition) in looks {
                    let wanted = if outcome { *condition } else { self.not(*condition) };
                    push_new(&mut instances, self.and(*path, wanted));
                }
                self.model.source.elements.push(Element { kind, name: name.clone(), span, instances });
            }
        }
    }

    fn attach_rules(&mut self, coverage: &Coverage) {
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        for block in &coverage.blocks {
            *counts.entry(block.rule.as_deref().unwrap_or_default()).or_default() += 1;
        }
        let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
        for block in &coverage.blocks {
            let Some(rule) = block.rule.as_deref() else { continue };
            let number = seen.entry(rule).or_default();
            *number += 1;
            let name = if counts[rule] > 1 { format!("{rule}#{number}") } else { rule.to_owned() };
            let spans = block.updates.keys().map(|(file, rule)| self.files[*file][*rule].span);
            let span = spans.reduce(|a, b| if same_file(self.files, a, b) { a.to(b) } else { a }).unwrap_or(Span::NONE);
            let paths = if block.paths.is_empty() { vec![self.boolean(true)] } else { block.paths.clone() };
            self.model.source.elements.push(Element { kind: "rule", name: name.clone(), span, instances: paths });
            for (at, (&(file, rule), changes)) in block.updates.iter().enumerate() {
                let location = match &self.files[file][rule].kind {
                    RuleKind::Update(location, _) => head(&self.files[file], *location),
                    _ => String::new(),
                };
                let name = format!("{name}.{} {location}", at + 1);
                let span = self.files[file][rule].span;
                self.model.source.elements.push(Element { kind: "update", name, span, instances: changes.clone() });
            }
        }
    }

    /// The rules of the source, including those that are never executed.
    fn attach_nodes(&mut self, coverage: &Coverage) {
        for (at, file) in self.files.iter().enumerate() {
            for def in &file.rules {
                let mut nodes = Vec::new();
                list_nodes(file, def.body, &mut nodes);
                let used = nodes.iter().any(|(rule, _)| coverage.nodes.contains_key(&(at, *rule)));
                // Unused rules of imported files belong to other machines.
                if at > 0 && !used {
                    continue;
                }
                for (number, (rule, what)) in nodes.into_iter().enumerate() {
                    let instances = coverage.nodes.get(&(at, rule)).cloned().unwrap_or_default();
                    let name = format!("{}.{} {what}", def.name.text, number + 1);
                    self.model.source.elements.push(Element { kind: "node", name, span: file[rule].span, instances });
                }
            }
        }
    }
}

/// Whether two spans are in the same file: no span of another file lies between.
fn same_file(files: &[File], a: Span, b: Span) -> bool {
    let file_of = |span: Span| {
        files.iter().position(|file| {
            file.name.as_ref().is_some_and(|name| name.span.start <= span.start)
                && file.rule_nodes.iter().any(|rule| rule.span == span)
        })
    };
    file_of(a) == file_of(b)
}

/// The function name of a location.
fn head(file: &File, term: TermId) -> String {
    match &file[term].kind {
        TermKind::Apply(name, _) => name.text.to_string(),
        TermKind::Var(name) => name.to_string(),
        _ => String::new(),
    }
}

/// A rule and its parts, outer before inner, with their kinds.
fn list_nodes(file: &File, rule: RuleId, nodes: &mut Vec<(RuleId, &'static str)>) {
    let mut seen = FxHashSet::default();
    let mut stack = vec![rule];
    while let Some(rule) = stack.pop() {
        if !seen.insert(rule) {
            continue;
        }
        let mut parts: Vec<RuleId> = Vec::new();
        let what = match &file[rule].kind {
            RuleKind::Skip => "skip",
            RuleKind::Update(..) => "update",
            RuleKind::Par(rules) => {
                parts.extend(rules);
                "par"
            }
            RuleKind::Seq(rules) => {
                parts.extend(rules);
                "seq"
            }
            RuleKind::If(_, then, otherwise) => {
                parts.push(*then);
                parts.extend(otherwise);
                "if"
            }
            RuleKind::Switch(_, cases, otherwise) => {
                parts.extend(cases.iter().map(|(_, rule)| *rule));
                parts.extend(otherwise);
                "switch"
            }
            RuleKind::Let(_, body) => {
                parts.push(*body);
                "let"
            }
            RuleKind::Forall(_, _, body) => {
                parts.push(*body);
                "forall"
            }
            RuleKind::Choose(_, _, body, none) => {
                parts.push(*body);
                parts.extend(none);
                "choose"
            }
            RuleKind::Extend(_, _, body) => {
                parts.push(*body);
                "extend"
            }
            RuleKind::While(_, body) => {
                parts.push(*body);
                "while"
            }
            RuleKind::Return(_, _, call) => {
                parts.push(*call);
                "return"
            }
            RuleKind::Term(term, _) if !matches!(file[*term].kind, TermKind::Apply(..)) => "call",
            RuleKind::Call(..) => "call",
            RuleKind::Term(..) => "program",
            RuleKind::Error => "error",
        };
        nodes.push((rule, what));
        stack.extend(parts.into_iter().rev());
    }
}
