//! Why a goal is or is not reached: what an equivalent mutant changes, and what distinguishes two goals.

use super::Graded;
use crate::failure::Failure;
use crate::limits::Limits;
use crate::suites;
use crate::words::hint;
use specwright_mc::{Answer, Ends, Proof, Query, Symbolic};
use specwright_model::op::{BinaryOp, Logic, UnaryOp};
use specwright_model::typing::is_temporal;
use specwright_model::unparse::print_model;
use specwright_model::{ExprId, Model, Node, Trace, Ty};
use specwright_syntax::escape::visible;
use specwright_testgen::cfsm::cfsm;
use specwright_testgen::suite::{Validated, validate};
use specwright_testgen::winnow::Winnower;
use std::path::Path;

/// What an equivalent mutant changes.
#[derive(Clone, Debug)]
pub struct Equivalence {
    /// What was changed.
    pub old: String,
    /// What stands there instead.
    pub new: String,
    /// An execution at whose end the two differ, though the property holds with either; if there is none, the two are the
    /// same in every reachable state.
    pub difference: Option<Trace>,
}

/// Whether a trace distinguishes two goals.
#[derive(Clone, Debug)]
pub enum Distinction {
    /// This trace meets the first goal at a moment at which it does not meet the second.
    Found {
        /// The goal that is met.
        met: String,
        /// The goal that is missed.
        missed: String,
        /// The trace.
        trace: Trace,
    },
    /// Every path meets both at the same moments.
    None,
    /// A limit was reached.
    Undecided,
}

impl Graded {
    /// Why a mutant is equivalent; nothing if its original is not at hand, or the question is undecided.
    pub fn why_equivalent(&self, goal: usize, limits: &Limits) -> Option<Equivalence> {
        let goal = &self.goals[goal];
        let Query::Falsify(mutant) = goal.target else { return None };
        let original = self.model.properties[goal.property?].formula.expr;
        let (old, new) = change(&self.model, original, mutant)?;
        let mut engine = Symbolic::new(self.model.system.clone(), &limits.options()).ok()?;
        let model = engine.system();
        let same = model.make(Node::Binary(BinaryOp::Iff, old, new)).ok()?;
        let answer = if model.mentions(same, is_temporal) {
            let always = model.make(Node::Unary(UnaryOp::AG, same)).ok()?;
            engine.falsify(always)
        } else {
            let differ = model.make(Node::Unary(UnaryOp::Not, same)).ok()?;
            engine.reach(differ)
        };
        let difference = match answer {
            Answer::Impossible(Proof::Infeasible) => None,
            Answer::Found(trace) => Some(trace),
            _ => return None,
        };
        let model = engine.system();
        Some(Equivalence { old: model.show_expr(old), new: model.show_expr(new), difference })
    }

    /// A trace that distinguishes two goals, which are given by their ids.
    pub fn distinguish(&self, one: &str, other: &str, limits: &Limits) -> Result<Distinction, Failure> {
        let find = |name: &str| {
            let place = self.goals.iter().position(|goal| goal.id == name);
            place.ok_or_else(|| {
                let hint = hint(name, self.goals.iter().map(|goal| goal.id.as_str()));
                Failure::Message(format!("no goal has the name `{name}`{hint}"))
            })
        };
        let (one, other) = (find(one)?, find(other)?);
        let Ok(mut engine) = Symbolic::new(self.model.system.clone(), &limits.options()) else {
            return Err(Failure::message("the model is too large to compare its goals"));
        };
        let mut winnower = Winnower::new(&mut engine, &self.goals, Ends::Nowhere);
        let mut is_undecided = false;
        for (one, other) in [(one, other), (other, one)] {
            match winnower.distinguish(one, other) {
                Answer::Found(trace) => {
                    let (met, missed) = (self.goals[one].id.clone(), self.goals[other].id.clone());
                    return Ok(Distinction::Found { met, missed, trace });
                }
                Answer::Impossible(_) => {}
                Answer::Undecided(_) => is_undecided = true,
            }
        }
        Ok(if is_undecided { Distinction::Undecided } else { Distinction::None })
    }

    /// Writes the constrained machine of every test into a folder, as SMV.
    pub fn write_machines(&self, folder: &Path) -> Result<(), Failure> {
        let targets: Vec<Query> = self.goals.iter().map(|goal| goal.target).collect();
        suites::make_folder(folder)?;
        for (index, test) in self.read.suite.tests.iter().enumerate() {
            let Ok(Validated::Execution(trace)) = validate(&self.model, test) else { continue };
            let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            let name: String = test.name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
            let machine = print_model(&cfsm(&self.model, &trace, &targets));
            let heading =
                format!("-- test {}: a property is false here exactly if the test kills it", visible(&test.name));
            suites::write_file(&folder.join(format!("{:03}-{name}.smv", index + 1)), format!("{heading}\n{machine}"))?;
        }
        Ok(())
    }
}

/// The smallest truth values of two formulas that differ, and that states can tell.
fn change(model: &Model, mut old: ExprId, mut new: ExprId) -> Option<(ExprId, ExprId)> {
    let linear = |node: &Node| match node {
        Node::Unary(op, _) => op.logic() == Some(Logic::Ltl),
        Node::Binary(op, ..) => op.logic() == Some(Logic::Ltl),
        Node::Bounded(op, ..) => op.logic() == Logic::Ltl,
        Node::Next(_) | Node::BoundedUntil(..) => true,
        _ => false,
    };
    let mut found = None;
    while old != new {
        let is_told = |part: ExprId| *model.context.exprs.ty(part) == Ty::BOOL && !model.mentions(part, linear);
        if is_told(old) && is_told(new) {
            found = Some((old, new));
        }
        let shape = |node: &Node| node.map_children(|_| old);
        let (a, b) = (&model[old], &model[new]);
        let (parts, others) = (a.children(), b.children());
        let mut differing = parts.iter().zip(&others).filter(|(a, b)| a != b);
        match (differing.next(), differing.next()) {
            (Some((a_part, b_part)), None) if parts.len() == others.len() && shape(a) == shape(b) => {
                (old, new) = (*a_part, *b_part);
            }
            _ => break,
        }
    }
    found
}
