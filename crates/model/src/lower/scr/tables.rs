//! Common parts of all tables: the variable that they define, their rules, and the expectations on these.

use super::exprs::{Time, vars_of};
use super::{Built, Entity, Lowering, Overlap};
use crate::expr::{ExprId, Node};
use crate::interp;
use crate::model::{Assign, AssignKind, Cell, Element, Mark, VarId, When};
use crate::op::BinaryOp;
use crate::state::State;
use crate::ty::Ty;
use crate::value::{Domain, Symbol, Value};
use specwright_syntax::diagnostic::{Diagnostic, closest};
use specwright_syntax::scr::ast::{self, Class, Content, Name, TableKind};
use specwright_syntax::scr::codes;
use specwright_syntax::span::Span;

/// An error that was reported.
pub(super) struct Reported;

/// A guarded value: a cell that can fire.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// The condition under which it fires.
    pub(super) guard: Built,
    /// The new value.
    pub(super) value: Built,
    /// The modes in which it can fire; empty if they are not known.
    pub(super) modes: Vec<Symbol>,
    /// Its source span.
    pub(super) span: Span,
}

/// Number of rules of a table beyond which a rule is compared with all earlier ones at once instead of pair by pair.
const MAX_RULES_BY_PAIRS: usize = 500;

/// The nonempty words, separated by spaces.
pub(super) fn join_words<const N: usize>(words: [&str; N]) -> String {
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A text of several lines on one line.
pub(super) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether two rules may fire at once, judged by their modes, and have different values.
fn can_differ(first: &Rule, second: &Rule) -> bool {
    let unknown = first.modes.is_empty() || second.modes.is_empty();
    let meet = unknown || first.modes.iter().any(|mode| second.modes.contains(mode));
    meet && first.value.expr != second.value.expr
}

impl Lowering<'_> {
    /// Checks that every table defines a variable of the right kind, and that every variable has its table.
    pub(super) fn check_tables(&mut self) {
        for table in &self.file.tables {
            let wrong = match self.entity(&table.name) {
                Some(Entity::Var(var)) => {
                    let class = self.classes[var.0 as usize].class;
                    let fits = match table.kind {
                        TableKind::Mode | TableKind::Matrix => class == Class::Mode,
                        _ => matches!(class, Class::Controlled | Class::Term),
                    };
                    (!fits).then(|| format!("{} cannot define the {}", table.kind.with_article(), class.name()))
                }
                Some(Entity::Broken) => None,
                Some(_) => Some(format!("{} cannot define the value", table.kind.with_article())),
                None => {
                    self.unknown(&table.name, codes::UNKNOWN_NAME, "there is no variable");
                    None
                }
            };
            if let Some(wrong) = wrong {
                let message = format!("{wrong} `{}`", table.name.text);
                let help = "mode tables define mode classes; event and condition tables define terms and controlled \
                            variables";
                self.report(Diagnostic::error(codes::WRONG_TABLE, table.name.span, message).help(help));
            }
        }
        for (index, table) in self.file.tables.iter().enumerate() {
            let first = self.file.tables[..index].iter().find(|first| first.name.text == table.name.text);
            if let Some(first) = first {
                let message = format!("a second table defines `{}`", table.name.text);
                let diagnostic = Diagnostic::error(codes::TWO_TABLES, table.name.span, message);
                self.report(diagnostic.also(first.name.span, "the first one is here"));
            }
        }
        for (_, decl) in self.declared() {
            let has_table = self.file.tables.iter().any(|table| table.name.text == decl.name.text);
            if decl.class != Class::Monitored && !has_table {
                let message = format!("no table defines the {} `{}`", decl.class.name(), decl.name.text);
                self.report(Diagnostic::error(codes::NO_TABLE, decl.name.span, message));
            }
        }
    }

    fn entity(&self, name: &Name) -> Option<Entity> {
        self.names.get(name.text.as_str()).map(|(entity, _)| *entity)
    }

    fn unknown(&mut self, name: &Name, code: specwright_syntax::diagnostic::Code, what: &str) {
        let message = format!("{what} `{}`", name.text);
        let diagnostic = Diagnostic::error(code, name.span, message);
        let known: Vec<String> = self.model.vars.iter().map(|var| var.name.clone()).collect();
        self.report(match closest(&name.text, known.iter().map(String::as_str)) {
            Some(known) => diagnostic.suggest("a similar name is", name.span, known),
            None => diagnostic,
        });
    }

    pub(super) fn tables(&mut self) {
        for (index, table) in self.file.tables.iter().enumerate() {
            let Some(Entity::Var(var)) = self.entity(&table.name) else { continue };
            let class = self.classes[var.0 as usize].class;
            let repeated = self.file.tables[..index].iter().any(|first| first.name.text == table.name.text);
            match table.kind {
                _ if repeated => {}
                TableKind::Mode if class == Class::Mode => self.mode_table(table, var),
                TableKind::Matrix if class == Class::Mode => self.matrix(table, var),
                TableKind::Event if matches!(class, Class::Controlled | Class::Term) => self.event_table(table, var),
                TableKind::Condition if matches!(class, Class::Controlled | Class::Term) => {
                    self.condition_table(table, var);
                }
                _ => {}
            }
        }
    }

    /// The mode class of a table, if it has one.
    pub(super) fn class_of(&mut self, table: &ast::Table) -> Result<Option<VarId>, Reported> {
        let Some(by) = &table.by else { return Ok(None) };
        match self.entity(by) {
            Some(Entity::Var(class)) if self.classes[class.0 as usize].class == Class::Mode => return Ok(Some(class)),
            Some(Entity::Broken) => {}
            Some(_) => {
                let message = format!("`{}` is not a mode class", by.text);
                self.report(Diagnostic::error(codes::WRONG_TABLE, by.span, message));
            }
            None => self.unknown(by, codes::UNKNOWN_NAME, "there is no mode class"),
        }
        Err(Reported)
    }

    /// All modes of a class.
    pub(super) fn modes(&self, class: VarId) -> Vec<Symbol> {
        let Domain::Enum(values) = &self.model[class].domain else { return Vec::new() };
        let symbol = |value: &Value| match value {
            Value::Symbol(symbol) => Some(*symbol),
            _ => None,
        };
        values.iter().filter_map(symbol).collect()
    }

    /// The modes of a row, none for a table without a mode class. `None` if the row has errors.
    pub(super) fn modes_of_row(
        &mut self,
        table: &ast::Table,
        row: &ast::Row,
        class: Option<VarId>,
        above: &mut Option<Vec<(Symbol, Span)>>,
    ) -> Option<Vec<(Symbol, Span)>> {
        if row.cells.len() != table.values.len() {
            return None;
        }
        class.map_or(Some(Vec::new()), |class| self.row_modes(&row.cells[0], class, above))
    }

    /// The modes in a cell; those of the row above if it is empty.
    pub(super) fn row_modes(
        &mut self,
        cell: &ast::Cell,
        class: VarId,
        above: &mut Option<Vec<(Symbol, Span)>>,
    ) -> Option<Vec<(Symbol, Span)>> {
        let modes = match &cell.content {
            Content::AnyMode => self.modes(class).into_iter().map(|mode| (mode, cell.span)).collect(),
            Content::Modes(names) if names.is_empty() => {
                let Some(above) = above else {
                    let message = "there is no row above to take the modes from";
                    self.report(Diagnostic::error(codes::EMPTY_CELL, cell.span, message));
                    return None;
                };
                above.iter().map(|(mode, _)| (*mode, cell.span)).collect()
            }
            Content::Modes(names) => {
                let modes: Vec<_> =
                    names.iter().filter_map(|name| Some((self.mode(name, class)?, name.span))).collect();
                if modes.len() < names.len() {
                    return None;
                }
                modes
            }
            _ => return None,
        };
        *above = Some(modes.clone());
        Some(modes)
    }

    /// The mode of that name.
    pub(super) fn mode(&mut self, name: &Name, class: VarId) -> Option<Symbol> {
        let modes = self.modes(class);
        if let Some(symbol) = self.model.context.symbols.get(&name.text).filter(|symbol| modes.contains(symbol)) {
            return Some(symbol);
        }
        let declared = &self.model[class];
        let message = format!("`{}` has no mode `{}`", declared.name, name.text);
        let mut diagnostic = Diagnostic::error(codes::UNKNOWN_MODE, name.span, message);
        let names: Vec<String> = modes.iter().map(|mode| self.model.context.symbols.name(*mode).to_owned()).collect();
        diagnostic = match closest(&name.text, names.iter().map(String::as_str)) {
            Some(near) => diagnostic.suggest("a mode with a similar name is", name.span, near),
            None => diagnostic.note(format!("its modes are {}", names.join(", "))),
        };
        self.report(diagnostic.also(declared.span, "declared here"));
        None
    }

    /// The value of an expression without variables.
    pub(super) fn known_value(&self, expr: ExprId) -> Option<Value> {
        interp::eval(&self.model, expr, &State::empty(self.model.vars.len()), None).ok()
    }

    /// The assignment of a table: the first rule that fires decides, otherwise the default.
    pub(super) fn assign(&mut self, kind: AssignKind, var: VarId, rules: &[Rule], default: Option<Built>, span: Span) {
        let time = if kind == AssignKind::Always { Time::Now } else { Time::Next };
        let parts = rules.iter().flat_map(|rule| [&rule.guard, &rule.value]);
        let mut needs: Vec<(VarId, Span)> = parts.flat_map(|part| vars_of(&self.model, part, time)).collect();
        needs.dedup();
        self.needs.push((var, needs));
        if rules.is_empty() && default.is_none() {
            // All cells have errors, which have been reported.
            return;
        }
        let truth = default.as_ref().map(|_| self.constant(Value::Bool(true), Span::NONE));
        let mut branches: Vec<(Built, Built)> = Vec::new();
        for (index, rule) in rules.iter().enumerate() {
            let value = match self.overlap {
                Overlap::First => rule.value.clone(),
                Overlap::Choose => self.any_value(rule, &rules[index + 1..]),
            };
            branches.push((rule.guard.clone(), value));
        }
        branches.extend(truth.zip(default));
        let mut spans = vec![span];
        for (guard, value) in &branches {
            spans.extend(&guard.spans);
            spans.extend(&value.spans);
        }
        let node = Node::Case(branches.iter().map(|(guard, value)| (guard.expr, value.expr)).collect());
        match self.model.make(node) {
            Ok(expr) => {
                let value = Built::new(expr, spans).sourced();
                self.model.assigns.push(Assign { kind, var, value, span });
            }
            Err(error) => {
                let message = format!("the values are incompatible: {error}");
                self.report(Diagnostic::error(codes::TYPE_MISMATCH, span, message));
            }
        }
    }

    /// The values of a rule that fires and of all later ones that do, too.
    fn any_value(&mut self, rule: &Rule, later: &[Rule]) -> Built {
        let mut all = rule.value.clone();
        for other in later.iter().filter(|other| can_differ(rule, other)) {
            let truth = self.constant(Value::Bool(true), Span::NONE);
            let mut own = rule.value.clone();
            own.spans.fill(Span::NONE);
            let parts = [&other.guard, &other.value, &truth, &own];
            let spans = std::iter::once(other.span).chain(parts.iter().flat_map(|part| part.spans.iter().copied()));
            let spans = spans.collect();
            let node = Node::Case([(other.guard.expr, other.value.expr), (truth.expr, own.expr)].into());
            // Values that do not go together are reported with the whole table.
            let Ok(expr) = self.model.make(node) else { continue };
            all = self.join(BinaryOp::Union, all, Built::new(expr, spans), Span::NONE);
        }
        all
    }

    /// What overlapping rows mean, for messages.
    fn overlap_help(&self) -> &'static str {
        match self.overlap {
            Overlap::First => "the first one is taken; with `--overlap choose`, any of them may be taken",
            Overlap::Choose => "any of them may be taken",
        }
    }

    /// Expects that no two rules with different values fire at once.
    pub(super) fn expect_disjoint(&mut self, rules: &[Rule], what: &str) {
        let all_pairs = rules.len() <= MAX_RULES_BY_PAIRS;
        for (index, second) in rules.iter().enumerate() {
            let mut earlier = Vec::new();
            for first in rules[..index].iter().filter(|first| can_differ(first, second)) {
                let mut both = self.both(first.guard.expr, second.guard.expr);
                let values = [first, second].map(|rule| self.known_value(rule.value.expr));
                if values.contains(&None) {
                    let differ = Node::Binary(BinaryOp::Ne, first.value.expr, second.value.expr);
                    let Ok(differ) = self.model.make(differ) else { continue };
                    both = self.both(both, differ);
                }
                if !all_pairs {
                    earlier.push(both);
                    continue;
                }
                let [one, other] = [first, second].map(|rule| self.shown(&rule.value));
                let message = format!("{what} overlap: both `{one}` and `{other}` can apply");
                let diagnostic = Diagnostic::warning(codes::OVERLAP, second.span, message)
                    .label(format!("leads to `{other}`"))
                    .also(first.span, format!("leads to `{one}`"))
                    .help(self.overlap_help());
                self.expect(When::Never, both, diagnostic);
            }
            let any = earlier.into_iter().reduce(|a, b| self.plain(Node::Binary(BinaryOp::Or, a, b)));
            if let Some(any) = any {
                let message = "an earlier row with another result can apply in the same step";
                let diagnostic = Diagnostic::warning(codes::OVERLAP, second.span, message).help(self.overlap_help());
                self.expect(When::Never, any, diagnostic);
            }
        }
    }

    /// Expects that a rule gives the variable one of its values, which is clear unless the value is computed. Then the result is
    /// when it does not.
    pub(super) fn expect_in_range(&mut self, var: VarId, guard: ExprId, value: &Built, span: Span) -> Option<ExprId> {
        let Domain::Range(first, last) = self.model[var].domain else { return None };
        if self.known_value(value.expr).is_some() || *self.model.context.exprs.ty(value.expr) != Ty::INT {
            return None;
        }
        if let Node::Var(other) = self.model[value.expr]
            && matches!(self.model[other].domain, Domain::Range(low, high) if first <= low && high <= last)
        {
            return None;
        }
        let [first, last] = [first, last].map(|bound| self.plain(Node::Const(Value::Int(bound))));
        let below = self.plain(Node::Binary(BinaryOp::Lt, value.expr, first));
        let above = self.plain(Node::Binary(BinaryOp::Gt, value.expr, last));
        let outside = self.plain(Node::Binary(BinaryOp::Or, below, above));
        let outside = self.both(guard, outside);
        let declared = &self.model[var];
        let message = format!("this value can be one that `{}` cannot have", declared.name);
        let diagnostic = Diagnostic::error(codes::BAD_VALUE, value.span(), message)
            .also(declared.span, "declared here")
            .also(span, "it applies here");
        self.expect(When::Never, outside, diagnostic);
        Some(outside)
    }

    /// A row of cells without marks.
    pub(super) fn cells(cells: &[ast::Cell]) -> Vec<Cell> {
        let cell = |cell: &ast::Cell| Cell { text: on_one_line(&cell.text), span: cell.span, marks: Vec::new() };
        cells.iter().map(cell).collect()
    }

    /// Attaches an element to a cell, for one of its cases. Cells with the same predicate share an element.
    pub(super) fn mark(
        &mut self,
        table: &ast::Table,
        cell: &mut Cell,
        (word, case): (&'static str, String),
        description: &str,
        expr: ExprId,
    ) {
        let elements = &mut self.model.source.elements;
        let known = elements.iter().position(|element| element.kind == "table" && element.instances == [expr]);
        let element = known.unwrap_or_else(|| {
            let name = format!("{} {}, {description}", table.kind.name(), table.name.text);
            elements.push(Element { kind: "table", name, span: cell.span, instances: vec![expr] });
            elements.len() - 1
        });
        cell.marks.push(Mark { word, case, element });
    }

    /// The modes of a row one by one, each with the suffix `in MODE` if there are several: a row of several modes
    /// abbreviates one row for each. One case without modes if the table has no mode class.
    pub(super) fn each_mode(&self, modes: &[(Symbol, Span)]) -> Vec<(Vec<(Symbol, Span)>, String)> {
        match modes {
            [] | [_] => vec![(modes.to_vec(), String::new())],
            _ => {
                let case =
                    |mode: &(Symbol, Span)| (vec![*mode], format!("in {}", self.model.context.symbols.name(mode.0)));
                modes.iter().map(case).collect()
            }
        }
    }

    /// `next(x) = value`
    pub(super) fn becomes_value(&mut self, var: VarId, value: ExprId) -> Option<ExprId> {
        let next = self.var(var, Time::Next, Span::NONE).expr;
        self.model.make(Node::Binary(BinaryOp::Eq, next, value)).ok()
    }
}
