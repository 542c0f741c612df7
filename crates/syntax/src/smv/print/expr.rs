//! Printer of expressions, with an explicit stack in place of recursion.

use super::Layout;
use crate::columns::is_wider;
use crate::op::{BinaryOp, BoundedUntilOp, Builtin, Logic, UnaryOp};
use crate::smv::ast::{ExprId, ExprKind, Exprs};
use crate::smv::grammar::{Grammar, LOWEST, Level, PRIMARY, SMV_TEMPORAL};
use crate::smv::literal::word_text;

/// Maximal width of aligned guards, in characters.
const MAX_ALIGNED: usize = 32;
/// Maximal height of guards that are printed in advance to measure their width, in edges.
const MAX_AHEAD: u32 = 8;

/// An output buffer with the state of the printer.
pub(super) struct Writer<'a> {
    pub(super) exprs: &'a Exprs,
    pub(super) layout: &'a Layout,
    pub(super) grammar: Grammar,
    /// Whether everything is printed on one line.
    pub(super) one_line: bool,
    /// Whether redundant parentheses are printed, too.
    pub(super) explicit: bool,
    /// Number of columns after which an expression ends, finished or not.
    pub(super) columns: Option<usize>,
    /// Current indentation, in levels.
    pub(super) depth: usize,
    out: String,
    tasks: Vec<Task>,
}

/// A pending output.
enum Task {
    /// An expression that must have at least this level. NuSMV does not allow unparenthesized LTL operators directly
    /// below those of CTL; within `A [p U q]`, an unparenthesized `U` would be taken for that of the brackets.
    Expr {
        id: ExprId,
        level: Level,
        no_ltl: bool,
    },
    Text(&'static str),
    Owned(String),
    Line,
    Indent,
    Dedent,
}

impl<'a> Writer<'a> {
    pub(super) fn new(exprs: &'a Exprs, layout: &'a Layout) -> Writer<'a> {
        let mut writer = Writer {
            exprs,
            layout,
            grammar: Grammar::NuSmv,
            one_line: false,
            explicit: false,
            columns: None,
            depth: 0,
            out: String::new(),
            tasks: Vec::new(),
        };
        writer.out.push_str(&layout.margin);
        writer
    }

    /// The text, without indentation after the last line break.
    pub(super) fn finish(mut self) -> String {
        let end = self.out.len() - self.layout.margin.len();
        if self.out[..end].ends_with('\n') && self.out.ends_with(self.layout.margin.as_str()) {
            self.out.truncate(end);
        }
        self.out
    }

    pub(super) fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Starts a new line and removes trailing blanks from the old one.
    pub(super) fn line(&mut self) {
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
        self.out.push_str(&self.layout.margin);
        for _ in 0..self.depth * self.layout.indent {
            self.out.push(' ');
        }
    }

    /// An expression on its own: a long chain of operators is broken into lines.
    pub(super) fn root(&mut self, expr: ExprId) {
        let start = self.out.len();
        self.expr(expr, LOWEST);
        let too_wide = self.out.len() - start > self.layout.width && !self.out[start..].contains('\n');
        let ExprKind::Binary(op, ..) = self.exprs[expr].kind else { return };
        let breakable = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Union);
        if self.one_line || !too_wide || !breakable {
            return;
        }
        self.out.truncate(start);
        self.depth += 1;
        self.line();
        let level = self.grammar.binary(op);
        for (n, operand) in self.chain(expr, op).into_iter().enumerate() {
            if n > 0 {
                self.line();
                self.text(op.symbol());
                self.text(" ");
            }
            let first_of_left = n == 0 && !self.grammar.is_right_associative(op);
            self.expr(operand, if first_of_left { level } else { level + 1 });
        }
        self.depth -= 1;
    }

    /// The operands of `a op b op c`, from left to right.
    fn chain(&self, expr: ExprId, op: BinaryOp) -> Vec<ExprId> {
        let mut operands = Vec::new();
        let mut rest = expr;
        if self.grammar.is_right_associative(op) {
            while let ExprKind::Binary(found, left, right) = self.exprs[rest].kind
                && found == op
            {
                operands.push(left);
                rest = right;
            }
            operands.push(rest);
            return operands;
        }
        while let ExprKind::Binary(found, left, right) = self.exprs[rest].kind
            && found == op
        {
            operands.push(right);
            rest = left;
        }
        operands.push(rest);
        operands.reverse();
        operands
    }

    /// An expression that must have at least the level `level`.
    pub(super) fn expr(&mut self, id: ExprId, level: Level) {
        let base = self.tasks.len();
        self.tasks.push(Task::Expr { id, level, no_ltl: false });
        while self.tasks.len() > base
            && let Some(task) = self.tasks.pop()
        {
            match task {
                Task::Expr { id, level, no_ltl } => self.node(id, level, no_ltl),
                Task::Text(text) => self.out.push_str(text),
                Task::Owned(text) => self.out.push_str(&text),
                Task::Line => self.line(),
                Task::Indent => self.depth += 1,
                Task::Dedent => self.depth -= 1,
            }
            if self.columns.is_some_and(|columns| is_wider(&self.out, columns)) {
                self.tasks.truncate(base);
            }
        }
    }

    fn push(&mut self, id: ExprId, level: Level, no_ltl: bool) {
        self.tasks.push(Task::Expr { id, level, no_ltl });
    }

    fn push_text(&mut self, text: &'static str) {
        self.tasks.push(Task::Text(text));
    }

    fn node(&mut self, id: ExprId, level: Level, no_ltl: bool) {
        let kind = &self.exprs[id].kind;
        let own = self.level(kind);
        let captured = no_ltl && (self.is_ltl(kind) || matches!(kind, ExprKind::Ite(..)));
        let bare = own >= level && !captured && !(self.explicit && level > LOWEST && own < PRIMARY);
        // Tasks are a stack: what is printed first is pushed last.
        let start = self.tasks.len();
        if !bare {
            self.push_text("(");
        }
        self.parts(kind, own, no_ltl && bare);
        if !bare {
            self.push_text(")");
        }
        self.tasks[start..].reverse();
    }

    /// The level of an expression in its printed form.
    fn level(&self, kind: &ExprKind) -> Level {
        match kind {
            ExprKind::Unary(UnaryOp::Not, operand) if self.is_temporal(*operand) => SMV_TEMPORAL,
            ExprKind::Int(value) if *value < 0 => self.grammar.unary(UnaryOp::Neg),
            kind => self.grammar.of(kind),
        }
    }

    /// Whether the outermost operator is one of LTL, disregarding a `!` that applies to it.
    fn is_ltl(&self, kind: &ExprKind) -> bool {
        match kind {
            ExprKind::Unary(UnaryOp::Not, operand) if self.is_temporal(*operand) => {
                let operand = &self.exprs[*operand].kind;
                !matches!(operand, ExprKind::Unary(UnaryOp::Not, _)) && self.is_ltl(operand)
            }
            ExprKind::Unary(op, _) => op.logic() == Some(Logic::Ltl),
            ExprKind::Binary(op, ..) => op.logic() == Some(Logic::Ltl),
            ExprKind::Bounded(op, ..) => op.logic() == Logic::Ltl,
            _ => false,
        }
    }

    /// Whether a `!` before it applies to the whole formula, as in NuSMV.
    fn is_temporal(&self, id: ExprId) -> bool {
        self.grammar == Grammar::NuSmv
            && match &self.exprs[id].kind {
                ExprKind::Unary(op, _) => op.logic().is_some(),
                ExprKind::Binary(op, ..) => op.logic() == Some(Logic::Ctl),
                ExprKind::Bounded(..) | ExprKind::BoundedUntil(..) => true,
                _ => false,
            }
    }

    /// Pushes the parts of an expression in source order.
    fn parts(&mut self, kind: &ExprKind, own: Level, no_ltl: bool) {
        match kind {
            ExprKind::Error => self.push_text("<error>"),
            ExprKind::Bool(value) => self.push_text(if *value { "TRUE" } else { "FALSE" }),
            ExprKind::Int(value) => self.tasks.push(Task::Owned(value.to_string())),
            ExprKind::Word(word) => self.tasks.push(Task::Owned(word_text(word))),
            ExprKind::Name(name) => self.tasks.push(Task::Owned(name.to_string())),
            ExprKind::SelfRef => self.push_text("self"),
            ExprKind::Field(base, field) => {
                self.push(*base, PRIMARY, false);
                // `a.0.1` would be lexed as `a` and the fraction `0.1`.
                let is_number = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
                let after_number = matches!(&self.exprs[*base].kind, ExprKind::Field(_, f) if is_number(&f.text));
                self.push_text(if after_number && is_number(&field.text) { " ." } else { "." });
                self.tasks.push(Task::Owned(field.text.to_string()));
            }
            ExprKind::Index(base, index) => {
                self.push(*base, PRIMARY, false);
                self.push_text("[");
                self.push(*index, LOWEST, false);
                self.push_text("]");
            }
            ExprKind::Slice(base, high, low) => self.slice(*base, *high, *low),
            ExprKind::Next(operand) => self.call("next", &[*operand]),
            ExprKind::Unary(op, operand) => self.unary(*op, *operand, own, no_ltl),
            ExprKind::Binary(op, left, right) => self.binary(*op, *left, *right, no_ltl),
            ExprKind::Bounded(op, low, high, operand) => {
                self.push_text(op.symbol());
                let (open, between, close) =
                    if op.logic() == Logic::Ctl { (" ", "..", " ") } else { (" [", ", ", "] ") };
                self.push_text(open);
                self.push(*low, LOWEST, false);
                self.push_text(between);
                self.push(*high, LOWEST, false);
                self.push_text(close);
                self.push(*operand, own, no_ltl || op.logic() == Logic::Ctl);
            }
            ExprKind::BoundedUntil(op, low, high, left, right) => {
                self.push_text(if *op == BoundedUntilOp::ABU { "A [" } else { "E [" });
                self.push(*left, LOWEST, true);
                self.push_text(" BU ");
                self.push(*low, LOWEST, false);
                self.push_text("..");
                self.push(*high, LOWEST, false);
                self.push_text(" ");
                self.push(*right, LOWEST, true);
                self.push_text("]");
            }
            ExprKind::Ite(condition, then, otherwise) => {
                self.push(*condition, own + 1, no_ltl);
                self.push_text(" ? ");
                self.push(*then, LOWEST + 1, false);
                self.push_text(" : ");
                self.push(*otherwise, own, no_ltl);
            }
            ExprKind::Case(branches) => self.case(branches),
            ExprKind::Set(items) => self.list("{", items, "}"),
            ExprKind::Array(items) => self.list("[", items, "]"),
            ExprKind::Range(low, high) => {
                self.push(*low, own + 1, no_ltl);
                self.push_text("..");
                self.push(*high, own + 1, no_ltl);
            }
            ExprKind::Call(builtin, args) => self.builtin(*builtin, args),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, own: Level, no_ltl: bool) {
        self.push_text(op.symbol());
        if let Some(logic) = op.logic() {
            self.push_text(" ");
            return self.push(operand, own, no_ltl || (logic == Logic::Ctl && self.grammar != Grammar::Psl));
        }
        // `--` starts a comment, and PSL allows only plain operands after `!` and `-`.
        let minus_twice = op == UnaryOp::Neg
            && match self.exprs[operand].kind {
                ExprKind::Unary(UnaryOp::Neg, _) => true,
                ExprKind::Int(value) => value < 0,
                _ => false,
            };
        let level = if minus_twice || self.grammar == Grammar::Psl { PRIMARY } else { own };
        self.push(operand, level, no_ltl);
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, no_ltl: bool) {
        let bracket = match op {
            BinaryOp::AU => "A [",
            BinaryOp::EU => "E [",
            BinaryOp::U if self.grammar == Grammar::Psl => "[",
            _ => {
                let level = self.grammar.binary(op);
                let (left_level, right_level) =
                    if self.grammar.is_right_associative(op) { (level + 1, level) } else { (level, level + 1) };
                self.push(left, left_level, no_ltl);
                self.push_text(" ");
                self.push_text(op.symbol());
                self.push_text(" ");
                return self.push(right, right_level, no_ltl);
            }
        };
        self.push_text(bracket);
        self.push(left, LOWEST, true);
        self.push_text(" U ");
        self.push(right, LOWEST, true);
        self.push_text("]");
    }

    fn slice(&mut self, base: ExprId, high: ExprId, low: ExprId) {
        if self.grammar == Grammar::Psl {
            return self.call("select", &[base, high, low]);
        }
        self.push(base, PRIMARY, false);
        self.push_text("[");
        self.push(high, LOWEST, false);
        self.push_text(":");
        self.push(low, LOWEST, false);
        self.push_text("]");
    }

    fn builtin(&mut self, builtin: Builtin, args: &[ExprId]) {
        // The widths of these two must bind tighter than comparisons.
        if let ([value, width], Builtin::UwConst | Builtin::SwConst) = (args, builtin) {
            self.push_text(builtin.name());
            self.push_text("(");
            self.push(*value, LOWEST, false);
            self.push_text(", ");
            self.push(*width, self.grammar.binary(BinaryOp::Shl), false);
            return self.push_text(")");
        }
        if builtin == Builtin::Count {
            // NuSMV 2.5 needs parentheses around these, too.
            self.push_text(builtin.name());
            return self.list_at("(", args, ")", self.grammar.binary(BinaryOp::Shl));
        }
        self.call(builtin.name(), args);
    }

    fn call(&mut self, name: &'static str, args: &[ExprId]) {
        self.push_text(name);
        self.list("(", args, ")");
    }

    fn list(&mut self, open: &'static str, items: &[ExprId], close: &'static str) {
        self.list_at(open, items, close, LOWEST);
    }

    /// A list of items of at least this level.
    fn list_at(&mut self, open: &'static str, items: &[ExprId], close: &'static str, level: Level) {
        self.push_text(open);
        for (n, item) in items.iter().enumerate() {
            if n > 0 {
                self.push_text(", ");
            }
            self.push(*item, level, false);
        }
        self.push_text(close);
    }

    fn case(&mut self, branches: &[(ExprId, ExprId)]) {
        let width = if self.one_line { 0 } else { self.guard_width(branches) };
        self.push_text("case");
        self.tasks.push(Task::Indent);
        for (guard, value) in branches {
            self.break_line();
            if width > 0 {
                let text = self.ahead(*guard);
                self.tasks.push(Task::Owned(format!("{text:width$}")));
            } else {
                self.push(*guard, LOWEST, false);
            }
            self.push_text(" : ");
            self.push(*value, LOWEST, false);
            self.push_text(";");
        }
        self.tasks.push(Task::Dedent);
        self.break_line();
        self.push_text("esac");
    }

    fn break_line(&mut self) {
        self.tasks.push(if self.one_line { Task::Text(" ") } else { Task::Line });
    }

    /// Width of the column of guards; 0 if they are not aligned.
    fn guard_width(&self, branches: &[(ExprId, ExprId)]) -> usize {
        let mut width = 0;
        for (guard, _) in branches {
            if self.exprs.height(*guard) > MAX_AHEAD {
                return 0;
            }
            width = width.max(self.ahead(*guard).len());
            if width > MAX_ALIGNED {
                return 0;
            }
        }
        width
    }

    /// A small expression on one line.
    fn ahead(&self, expr: ExprId) -> String {
        let layout = Layout { margin: String::new(), ..self.layout.clone() };
        let mut writer = Writer::new(self.exprs, &layout);
        writer.one_line = true;
        writer.grammar = self.grammar;
        writer.expr(expr, LOWEST);
        writer.out
    }
}
