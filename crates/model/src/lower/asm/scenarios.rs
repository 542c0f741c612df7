//! What scenarios do to a machine from outside: rules that they execute before a step, and what they set at first.

use super::rules::Update;
use super::{Env, Lowering, Stop};
use crate::expr::Node;
use crate::model::{RuleChoice, Var, VarId, VarKind};
use crate::op::BinaryOp;
use crate::source::EXECUTED;
use crate::value::{Domain, Value};
use specwright_syntax::asm::ast::RuleId;
use specwright_syntax::span::Span;

/// What scenarios ask of a machine.
#[derive(Clone, Debug, Default)]
pub struct Demands {
    /// The rules that they execute before a step.
    pub rules: Vec<ExecutedRule>,
    /// The monitored functions that they set before the first step. The initial values of these do not bind them.
    pub set_first: Vec<String>,
}

/// A rule that a scenario executes.
#[derive(Clone, Debug)]
pub struct ExecutedRule {
    /// Its text, by which the scenario names it.
    pub text: String,
    /// Its place: a file among those of the machine, and the rule in it.
    pub file: usize,
    /// The rule.
    pub rule: RuleId,
}

impl Lowering<'_> {
    /// The environment of the main rule after the rules that scenarios execute; an input says which of them.
    pub(super) fn after_demanded(&mut self, rules: &[ExecutedRule], env: Env) -> Result<Env, Stop> {
        if rules.is_empty() {
            return Ok(env);
        }
        let codes = || (0i64..).map(Value::Int);
        let last = i64::try_from(rules.len()).unwrap_or(i64::MAX);
        let (name, domain) = ("scenario.exec".to_owned(), Domain::Range(0, last));
        self.model.vars.push(Var { name, domain, kind: VarKind::Input, span: Span::NONE });
        let var = VarId(self.model.vars.len() as u32 - 1);
        let chosen = self.var_expr(var);
        // The goals are about the rules of the machine.
        let coverage = std::mem::take(&mut self.coverage);
        let mut updates = Vec::new();
        let mut executed = Ok(());
        for (executed_rule, code) in rules.iter().zip(codes().skip(1)) {
            let code = self.node(Node::Const(code));
            let is_chosen = self.compare(BinaryOp::Eq, chosen, code);
            let path = self.and(env.path, is_chosen);
            let inner = Env { file: executed_rule.file, path, rule: EXECUTED.into(), ..env.clone() };
            match self.conditionally(|lowering| lowering.execute(executed_rule.rule, &inner)) {
                Ok(new) => updates.extend(new),
                Err(stop) => executed = Err(stop),
            }
        }
        self.coverage = coverage;
        executed?;
        self.note_hidden(&updates)?;
        let env = self.after(&updates, &env)?;
        self.executed = updates;
        let rows = rules.iter().map(|rule| vec![rule.text.clone()]);
        let values = codes().zip(std::iter::once(vec![String::new()]).chain(rows)).collect();
        let is_made = self.boolean(true);
        let choice = RuleChoice { var, names: vec![EXECUTED.into()], rule: String::new(), values, is_made };
        self.model.source.choices.push(choice);
        Ok(env)
    }

    /// The updates of a step: those of the main rule, after those of a rule that a scenario executes.
    pub(super) fn step(&mut self, main: RuleId, env: &Env) -> Result<Vec<Update>, Stop> {
        let updates = self.execute(main, env)?;
        let updates = self.without_result(updates);
        if self.executed.is_empty() {
            return Ok(updates);
        }
        Ok(self.one_after_the_other(self.executed.clone(), updates))
    }
}
