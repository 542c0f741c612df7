//! Mutants as text: a line of a list, a whole file, and a diff.
//!
//! A file keeps its source text except for the change, as long as the changed span corresponds to one place of the
//! model. If a module has several instances, or the source is not NuSMV, the flat model is printed.

use super::mutant::Mutant;
use super::site::SiteId;
use specwright_model::model::PropertyKind;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::unparse::print_model;
use specwright_model::{ExprId, Model, Node};
use specwright_syntax::span::{SourceFile, SourceMap};
use std::fmt::Write;

/// The source text of a model.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    /// The files.
    pub sources: &'a SourceMap,
    /// Whether the source is in the language in which expressions are printed: the SMV of NuSMV.
    pub is_nusmv: bool,
}

impl Mutant {
    /// The formula or expression with the change applied.
    pub fn text(&self, model: &Model) -> String {
        let mutated = self.mutated(model);
        model.show_expr(mutated)
    }

    /// The whole model with the change applied, as SMV for NuSMV.
    pub fn file(&self, model: &Model, text: Text<'_>) -> String {
        match self.splice(model, text) {
            Some(Splice { file, range, new }) => {
                format!("{}{new}{}", &file.text[..range.start], &file.text[range.end..])
            }
            None => print_model(&self.apply(model)),
        }
    }

    /// The change as a unified diff: of the source if possible, otherwise of the flat expression.
    pub fn diff(&self, model: &Model, text: Text<'_>) -> String {
        if let Some(splice) = self.splice(model, text) {
            return splice.diff(&self.id.to_string());
        }
        let old = model.show_expr(self.site.sourced(model).expr);
        let name = self.site.name(model).unwrap_or_else(|| self.site.kind(model).into());
        format!("--- {name}\n+++ {name} ({})\n@@ -1 +1 @@\n-{old}\n+{}\n", self.id, self.text(model))
    }

    /// The change of the source text, if the changed span corresponds to this place of the model alone.
    fn splice<'a>(&self, model: &Model, text: Text<'a>) -> Option<Splice<'a>> {
        let is_psl = |index: usize| matches!(model.properties[index].kind, PropertyKind::Psl(_));
        let is_plain = !matches!(self.site, SiteId::Property(index) if is_psl(index));
        // In `main`, names are those of the model, and every expression occurs once.
        if !is_plain || model.source.instances.len() > 1 || !text.is_nusmv {
            return None;
        }
        let file = text.sources.file_at(self.span.start).filter(|_| self.span.is_some())?;
        let range = (self.span.start - file.start) as usize..(self.span.end - file.start) as usize;
        let new = model.show_expr(self.replacement);
        let new = if self.needs_parentheses(model, &file.text, &range) { format!("({new})") } else { new };
        Some(Splice { file, range, new })
    }

    /// Whether the replacement needs parentheses in its context; errs towards `true`.
    fn needs_parentheses(&self, model: &Model, text: &str, range: &std::ops::Range<usize>) -> bool {
        let Some(parent) = self.parent(model) else { return false };
        let blank = [' ', '\t'];
        // Comments cannot interfere: there is none between blanks and a parenthesis on the same line.
        let is_enclosed = text[..range.start].trim_end_matches(blank).ends_with('(')
            && text[range.end..].trim_start_matches(blank).starts_with(')');
        if is_enclosed {
            return false;
        }
        match (&model[self.original], &model[self.replacement]) {
            (_, Node::Var(_) | Node::Define(_) | Node::Const(_) | Node::Next(_) | Node::Case(_)) => false,
            (_, Node::Unary(UnaryOp::Not, _)) => !takes_negations(&model[parent]),
            (Node::Binary(a, ..), Node::Binary(b, ..)) => !(a == b || a.is_relational() && b.is_relational()),
            _ => true,
        }
    }

    /// The parent of the replaced expression.
    fn parent(&self, model: &Model) -> Option<ExprId> {
        let mut way = self.path.iter();
        way.next_back()?;
        let root = self.site.sourced(model).expr;
        Some(way.fold(root, |expr, ordinal| model[expr].children()[*ordinal as usize]))
    }
}

/// Whether `!a` may be a part of a node without parentheses.
fn takes_negations(node: &Node) -> bool {
    use BinaryOp::{And, Iff, Implies, Or, Xnor, Xor};
    match node {
        Node::Unary(op, _) => op.logic().is_some(),
        Node::Binary(op, ..) => op.logic().is_some() || matches!(op, And | Or | Implies | Iff | Xor | Xnor),
        Node::Case(_) | Node::Bounded(..) | Node::BoundedUntil(..) => true,
        _ => false,
    }
}

/// The change of a file as a unified diff, from the first line that differs to the last.
pub fn file_diff(file: &SourceFile, new: &str, name: &str) -> String {
    let old = &*file.text;
    let start = old.bytes().zip(new.bytes()).take_while(|(x, y)| x == y).count();
    // Changes begin and end at line boundaries.
    let start = old.as_bytes()[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let most = old.len().min(new.len()) - start;
    let common = old.bytes().rev().zip(new.bytes().rev()).take(most).take_while(|(x, y)| x == y).count();
    let tail = &old.as_bytes()[old.len() - common..];
    let common = tail.iter().position(|byte| *byte == b'\n').map_or(0, |at| common - at);
    let (end, new_end) = (old.len() - common, new.len() - common);
    Splice { file, range: start..end, new: new[start..new_end].to_owned() }.diff(name)
}

/// A change of a file.
struct Splice<'a> {
    file: &'a SourceFile,
    range: std::ops::Range<usize>,
    new: String,
}

impl Splice<'_> {
    /// The change as a unified diff with three lines of context.
    fn diff(&self, name: &str) -> String {
        const CONTEXT: usize = 3;
        let text = &*self.file.text;
        let start = text[..self.range.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[self.range.end..].find('\n').map_or(text.len(), |at| self.range.end + at);
        let new = format!("{}{}{}", &text[start..self.range.start], self.new, &text[self.range.end..end]);
        let (old, new): (Vec<&str>, Vec<&str>) = (text[start..end].split('\n').collect(), new.split('\n').collect());
        let before: Vec<&str> = text[..start].lines().collect();
        let first = before.len().saturating_sub(CONTEXT);
        let after: Vec<&str> = text[end..].strip_prefix('\n').unwrap_or("").lines().take(CONTEXT).collect();
        let n_around = before.len() - first + after.len();
        let mut diff = format!("--- {0}\n+++ {0} ({name})\n", self.file.name);
        let at = first + 1;
        let _ = writeln!(diff, "@@ -{at},{} +{at},{} @@", n_around + old.len(), n_around + new.len());
        let lines = [(' ', &before[first..]), ('-', &old), ('+', &new), (' ', &after)];
        for (mark, line) in lines.into_iter().flat_map(|(mark, lines)| lines.iter().map(move |line| (mark, line))) {
            let _ = writeln!(diff, "{mark}{line}");
        }
        diff
    }
}

/// The text of a short expression, or only the outermost operator of a long one.
pub(super) fn short(model: &Model, expr: ExprId) -> String {
    /// Maximal size of an expression that is shown completely, in nodes.
    const MAX_WHOLE: usize = 24;
    /// Maximal size of an operand that is shown, in nodes.
    const MAX_PART: usize = 8;
    let part = |expr| if is_small(model, expr, MAX_PART) { show(model, expr) } else { "…".into() };
    match &model[expr] {
        _ if is_small(model, expr, MAX_WHOLE) => show(model, expr),
        Node::Unary(op, a) => format!("{} {}", op.symbol(), part(*a)),
        Node::Binary(op, a, b) => format!("{} {} {}", part(*a), op.symbol(), part(*b)),
        Node::Ite(c, a, b) => format!("{} ? {} : {}", part(*c), part(*a), part(*b)),
        Node::Case(_) => "case … esac".into(),
        Node::Set(_) => "{…}".into(),
        _ => "…".into(),
    }
}

/// The text of an expression.
fn show(model: &Model, expr: ExprId) -> String {
    match &model[expr] {
        // Most replaced expressions are single words, which need no unparser.
        Node::Var(var) => model[*var].name.clone(),
        Node::Define(define) => model[*define].name.clone(),
        _ => model.show_expr(expr),
    }
}

/// Whether an expression has at most `limit` nodes.
fn is_small(model: &Model, expr: ExprId, limit: usize) -> bool {
    let mut n_nodes = 0;
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        n_nodes += 1;
        if n_nodes > limit {
            return false;
        }
        // The elements of an array are not counted.
        match &model[expr] {
            Node::Array(..) => {}
            node => node.for_each_child(|child| stack.push(child)),
        }
    }
    true
}
