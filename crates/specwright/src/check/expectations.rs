//! Whether what the author of a model takes for granted is so: consistency of tables, each flaw with a concrete state.
//!
//! What must never be is looked for among all states and their steps, and if there is such a one, among the reachable.

use super::undefined::{list, told};
use crate::limits::Limits;
use crate::policy::EXPECTATION_STEPS;
use crate::words::count;
use specwright_mc::{Answer, Budget, BuildError, Options, Proof, Symbolic};
use specwright_model::model::{AssignKind, Expectation, When};
use specwright_model::op::UnaryOp;
use specwright_model::{Model, Node, Trace, Value, interp};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::scr::codes;
use specwright_syntax::span::Span;

/// What was found, and how many questions remain.
pub(crate) struct Findings {
    /// What is not as expected.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The number of questions without an answer.
    pub(crate) open: usize,
    /// Whether the only grave flaws are gaps in condition tables and new values out of range. Whether these can be reached shows
    /// once they are filled.
    pub(crate) has_gaps: bool,
}

/// Looks at everything that is expected. Gaps of tables are filled or not.
pub(crate) fn examine(model: &Model, fills_gaps: bool, limits: &Limits) -> Findings {
    let (diagnostics, effort) = (Vec::new(), EXPECTATION_STEPS);
    let mut examiner = Examiner { model, limits, effort, diagnostics, open: 0, fills_gaps, has_gaps: false };
    examiner.all();
    let Examiner { mut diagnostics, open, has_gaps, .. } = examiner;
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    Findings { diagnostics, open, has_gaps }
}

struct Examiner<'a> {
    model: &'a Model,
    limits: &'a Limits,
    /// The steps of decision diagrams that are left.
    effort: u64,
    diagnostics: Vec<Diagnostic>,
    open: usize,
    fills_gaps: bool,
    has_gaps: bool,
}

impl Examiner<'_> {
    fn all(&mut self) {
        let expected = |when| move |expectation: &&Expectation| expectation.when == when;
        let expectations = || self.model.source.expectations.iter();
        let (never, sometimes, initially): (Vec<_>, Vec<_>, Vec<_>) = (
            expectations().filter(expected(When::Never)).collect(),
            expectations().filter(expected(When::Sometimes)).collect(),
            expectations().filter(expected(When::Initially)).collect(),
        );
        // What makes an engine impossible is looked for without the assignments.
        let (grave, never): (Vec<_>, Vec<_>) =
            never.into_iter().partition(|expectation| expectation.otherwise.is_error());
        let flaws = self.anywhere(&grave, |_| false).unwrap_or_default();
        let (gaps, flaws): (Vec<_>, Vec<_>) =
            flaws.into_iter().partition(|(flaw, _)| self.fills_gaps && self.is_gap(flaw));
        if !flaws.is_empty() {
            self.has_gaps = flaws.iter().all(|(flaw, _)| self.is_gap(flaw));
            for (expectation, example) in flaws {
                self.diagnostics.push(self.with_example(&expectation.otherwise, &example, None));
            }
            return;
        }
        let flaws = self.anywhere(&never, |kind| kind != AssignKind::Init).unwrap_or_default();
        let mut engine = match self.engine(self.model.clone()) {
            Ok(engine) => engine,
            Err(BuildError::Limit(_)) => {
                self.open += sometimes.len() + initially.len();
                for (expectation, example) in gaps.into_iter().chain(flaws) {
                    self.diagnostics.push(self.with_example(&expectation.otherwise, &example, None));
                }
                return;
            }
            // That is reported where the engine of the run is made.
            Err(_) => return,
        };
        if self.has_no_first_state(&mut engine) {
            return;
        }
        for (gap, example) in gaps {
            let diagnostic = match self.ask(&mut engine, gap) {
                Answer::Found(way) => self.with_example(&gap.otherwise, &way, Some(true)),
                Answer::Undecided(_) => self.with_example(&gap.otherwise, &example, None),
                Answer::Impossible(_) => {
                    let message = match gap.otherwise.code {
                        codes::INCOMPLETE => {
                            "no condition of this row holds in some states, but none of these can be reached"
                        }
                        _ => "this value is out of range in some states, but none of these can be reached",
                    };
                    Diagnostic::warning(codes::UNREACHABLE_GAP, gap.otherwise.primary.span, message)
                }
            };
            self.diagnostics.push(diagnostic);
        }
        for (expectation, example) in flaws {
            let diagnostic = match self.ask(&mut engine, expectation) {
                Answer::Found(way) => self.with_example(&expectation.otherwise, &way, Some(true)),
                Answer::Undecided(_) => self.with_example(&expectation.otherwise, &example, None),
                Answer::Impossible(_) => self.with_example(&expectation.otherwise, &example, Some(false)),
            };
            self.diagnostics.push(diagnostic);
        }
        for expectation in sometimes {
            if let Answer::Impossible(Proof::Infeasible | Proof::Nonfalsifiable) = self.ask(&mut engine, expectation) {
                self.diagnostics.push(expectation.otherwise.clone());
            }
        }
        for expectation in initially {
            let not = engine.system().make(Node::Unary(UnaryOp::Not, expectation.expr));
            let Ok(not) = not else { continue };
            if let Answer::Found(state) = engine.within(&self.budget(), |engine| engine.show(not)) {
                self.diagnostics.push(self.with_example(&expectation.otherwise, &state, None));
            }
        }
    }

    /// Whether there is no initial state, because of a condition that is then reported.
    fn has_no_first_state(&mut self, engine: &mut Symbolic) -> bool {
        let holds = |engine: &mut Symbolic, budget: &Budget| {
            let truth = engine.system().make(Node::Const(Value::Bool(true)));
            truth.is_ok_and(|truth| !engine.within(budget, |engine| engine.show(truth)).is_impossible())
        };
        if self.model.init.is_empty() || holds(engine, &self.budget()) {
            return false;
        }
        for n in 1..=self.model.init.len() {
            let mut first = self.model.clone();
            first.init.truncate(n);
            let Ok(mut engine) = self.engine(first) else { return false };
            if !holds(&mut engine, &self.budget()) {
                let span = self.model.init[n - 1].spans.iter().copied().find(|span| span.is_some());
                let message = "no initial state satisfies this condition";
                let diagnostic = Diagnostic::error(codes::NO_FIRST_STATE, span.unwrap_or(Span::NONE), message)
                    .help("it contradicts the initial values, the tables, the assumptions, or a condition before it");
                self.diagnostics.push(diagnostic);
                return true;
            }
        }
        false
    }

    /// What is left of the budget.
    fn budget(&self) -> Budget {
        self.limits.budget().with_time_per_query(None).limited(self.effort)
    }

    /// An engine for a model, as far as the effort allows.
    fn engine(&mut self, model: Model) -> Result<Symbolic, BuildError> {
        let max_memory = (self.limits.memory)().min(1 << 30);
        let options = Options { max_memory, budget: self.budget(), ..Options::default() };
        let engine = Symbolic::new(model.system, &options);
        match &engine {
            Ok(engine) => self.effort = self.effort.saturating_sub(engine.steps()),
            Err(BuildError::Limit(_)) => self.effort = 0,
            Err(_) => {}
        }
        engine
    }

    fn ask(&mut self, engine: &mut Symbolic, expectation: &Expectation) -> Answer<Trace> {
        let before = engine.steps();
        let answer = engine.within(&self.budget(), |engine| engine.reach(expectation.expr));
        self.effort = self.effort.saturating_sub(engine.steps() - before);
        self.open += usize::from(matches!(answer, Answer::Undecided(_)));
        answer
    }

    /// Whether it depends on the reachable states how grave a flaw is: a gap of a condition table, or a new value out of range.
    fn is_gap(&self, flaw: &Expectation) -> bool {
        match flaw.otherwise.code {
            codes::INCOMPLETE => true,
            codes::BAD_VALUE => !interp::support(self.model, flaw.expr).next.is_empty(),
            _ => false,
        }
    }

    /// Which of these can be, in any state and step that the constraints and some of the assignments allow; none if there is no
    /// engine for that.
    fn anywhere<'e>(
        &mut self,
        expectations: &[&'e Expectation],
        assigned: fn(AssignKind) -> bool,
    ) -> Option<Vec<(&'e Expectation, Trace)>> {
        if expectations.is_empty() {
            return Some(Vec::new());
        }
        let mut free = self.model.clone();
        free.init.clear();
        free.assigns.retain(|assign| assigned(assign.kind));
        let Ok(mut engine) = self.engine(free) else {
            self.open += expectations.len();
            return None;
        };
        let mut found = Vec::new();
        for expectation in expectations {
            if let Answer::Found(trace) = self.ask(&mut engine, expectation) {
                found.push((*expectation, trace));
            }
        }
        Some(found)
    }

    /// A diagnostic with the state or step at the end of an execution, and whether that can be reached.
    fn with_example(&self, diagnostic: &Diagnostic, way: &Trace, reachable: Option<bool>) -> Diagnostic {
        let expr = self.model.source.expectations.iter().find(|expected| expected.otherwise == *diagnostic);
        let Some(expr) = expr.map(|expected| expected.expr) else { return diagnostic.clone() };
        let support = interp::support(self.model, expr);
        let steps = way.states.len() - 1;
        let (now, next) = if support.next.is_empty() {
            (&way.states[steps], None)
        } else {
            (&way.states[steps.saturating_sub(1)], way.states.last())
        };
        let mut example = told(self.model, now, "", |var| support.now.contains(&var));
        if let Some(next) = next {
            example.extend(told(self.model, next, "next", |var| {
                support.next.contains(&var) && (!support.now.contains(&var) || next.get(var) != now.get(var))
            }));
        }
        let example = if example.is_empty() { "always".into() } else { list(&example) };
        let diagnostic = diagnostic.clone().note(format!("for example when {example}"));
        match reachable {
            Some(true) if next.is_some() => diagnostic.note(format!("this can happen in step {steps}")),
            Some(true) => diagnostic.note(format!("this can happen after {}", count(steps, "step"))),
            Some(false) => diagnostic.note("but no execution gets there from an initial state"),
            _ => diagnostic,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::examine;
    use crate::frontend;
    use crate::limits::Limits;
    use crate::session::ReadSettings;
    use specwright_syntax::span::SourceMap;
    use std::fmt::Write;
    use std::path::Path;

    const SIGNS: [&str; 5] = ["@T", "@F", "t", "f", "-"];

    /// Whether a row of a matrix fires in a step.
    fn fires(signs: [usize; 3], before: usize, after: usize) -> bool {
        signs.iter().enumerate().all(|(index, sign)| {
            let (old, new) = (before >> index & 1 == 1, after >> index & 1 == 1);
            [!old && new, old && !new, old && new, !old && !new, true][*sign]
        })
    }

    #[test]
    fn overlaps_are_those_that_a_search_finds() {
        let mut random = 11u64;
        let mut below = |n: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 11) as usize % n
        };
        let mut n_overlaps = 0;
        for round in 0..40 {
            let one = round % 2 == 0;
            let rows: Vec<(usize, [usize; 3], usize)> = (0..8)
                .map(|_| {
                    let mut signs = [0; 3].map(|_: i32| below(9).min(4));
                    signs[below(3)] = below(2);
                    (below(2), signs, below(2))
                })
                .collect();
            let mut text = String::from("monitored\n  a, b, c : boolean\nmodes\n  M : {A, B} initially A\n");
            let _ =
                writeln!(text, "inputs {}\nmode matrix M\n  from | a | b | c | to", if one { "one" } else { "any" });
            for (from, signs, to) in &rows {
                let [a, b, c] = signs.map(|sign| SIGNS[sign]);
                let _ = writeln!(text, "  {} | {a} | {b} | {c} | {}", ["A", "B"][*from], ["A", "B"][*to]);
            }
            let mut wanted = 0;
            for (index, second) in rows.iter().enumerate() {
                for first in rows[..index].iter().filter(|first| first.0 == second.0 && first.2 != second.2) {
                    let steps = (0..64).map(|step| (step / 8, step % 8));
                    let mut steps = steps.filter(|(old, new): &(usize, usize)| !one || (old ^ new).is_power_of_two());
                    wanted +=
                        usize::from(steps.any(|(old, new)| fires(first.1, old, new) && fires(second.1, old, new)));
                }
            }
            let mut sources = SourceMap::default();
            sources.add("random.scr", text.as_str()).unwrap();
            let (model, _) =
                frontend::of(Path::new("random.scr")).understand(&mut sources, 0, &ReadSettings::default());
            let model = model.unwrap_or_else(|| panic!("{text}"));
            let found = examine(&model, false, &Limits::default()).diagnostics;
            let found = found.iter().filter(|diagnostic| diagnostic.code.0 == "SCR050").count();
            assert_eq!(found, wanted, "{text}");
            n_overlaps += wanted;
        }
        assert!(n_overlaps > 10, "{n_overlaps}");
    }
}
