//! Totality of mutants: whether a mutant is defined in every case.
//!
//! A `case` without a matching branch, a number out of its range, a division by zero: NuSMV rejects models in which
//! these can happen, so a mutant in which they can happen, but could not before, is left out. As in NuSMV, all cases
//! are checked, reachable or not. If there are too many cases, or the budget for all mutants is spent, the mutant is
//! kept.

use super::mutants::Targets;
use crate::policy::{TOTALITY_CASES, TOTALITY_WORK};

use super::site::{self, SiteId};
use super::units::units;
use rustc_hash::FxHashSet;
use specwright_model::interp::{Cases, Demand, Evaluator};
use specwright_model::model::DefineId;
use specwright_model::{ExprId, Model, Node, State};

/// The expressions of a model that may be undefined, before mutation.
pub(super) struct Totality {
    known: Vec<Known>,
    /// The model, whose sites are changed and restored.
    scratch: Model,
    /// The rest of the budget.
    work: usize,
}

/// An expression that may be undefined.
struct Known {
    site: SiteId,
    unit: Demand,
    /// The defines that it uses.
    defines: FxHashSet<DefineId>,
    cases: Cases,
    /// The number of its subexpressions.
    parts: usize,
    /// Whether it is undefined in some case already, so that no mutant is worse. Computed on first use.
    fails: Option<bool>,
}

/// A change of a site.
pub(super) struct Changed {
    pub(super) site: SiteId,
    /// The replaced expression.
    pub(super) original: ExprId,
    /// The replacement.
    pub(super) replacement: ExprId,
    /// The whole site with the change applied.
    pub(super) whole: ExprId,
}

impl Totality {
    /// Analyses a model whose properties or machine are mutated.
    pub(super) fn new(model: &Model, targets: &Targets) -> Totality {
        let mut known = Vec::new();
        let machine = match targets {
            Targets::Machine => site::machine(model, true),
            Targets::FiniteMachine => site::machine(model, false),
            Targets::Properties | Targets::PropertiesAt(_) => Vec::new(),
        };
        for site in machine.into_iter().chain(site::properties(model)) {
            let units = units(model, site, site.sourced(model).expr).into_iter();
            known.extend(units.filter(|unit| unit.may_fail(model)).map(|unit| Known {
                site,
                unit,
                defines: defines_of(model, unit.expr),
                cases: Cases::new(model, unit.expr),
                parts: model.context.exprs.parts([unit.expr]).len(),
                fails: None,
            }));
        }
        Totality { known, scratch: model.clone(), work: TOTALITY_WORK }
    }

    /// Whether mutants of a site must be checked for every change.
    pub(super) fn concerns(&self, site: SiteId) -> bool {
        self.known.iter().any(|known| known.is_affected(site))
    }

    /// Whether everything is defined in every case after a change. `None` if there are too many cases.
    pub(super) fn holds(&mut self, model: &Model, changed: &Changed) -> Option<bool> {
        let site = changed.site;
        let original = site.sourced(model).expr;
        let mut to_check: Vec<(Demand, Cases, usize)> = Vec::new();
        for known in self.known.iter_mut().filter(|known| known.is_affected(site)) {
            if known.cases.count() <= TOTALITY_CASES {
                let find = || known.cases.any(model, |now, next| known.unit.fails_in(model, now, next));
                let fails = known.fails.get_or_insert_with(find);
                if *fails {
                    continue;
                }
            }
            match site {
                SiteId::Define(_) => {
                    to_check.push((known.unit, known.cases.with(model, changed.replacement), known.parts));
                }
                SiteId::Assign(_) | SiteId::Init(_) | SiteId::Invar(_) | SiteId::Fairness(_) => {
                    let unit = Demand { expr: changed.whole, ..known.unit };
                    to_check.push((unit, known.cases.with(model, changed.replacement), known.parts));
                }
                SiteId::Property(_) | SiteId::Trans(_) => {}
            }
        }
        if to_check.is_empty() && !matches!(site, SiteId::Define(_)) {
            // Only new expressions can be undefined for the first time.
            let before: FxHashSet<ExprId> = units(model, site, original).iter().map(|unit| unit.expr).collect();
            let new = units(model, site, changed.whole).into_iter().filter(|unit| !before.contains(&unit.expr));
            let new = new.filter(|unit| unit.may_fail(model));
            let parts = |expr| model.context.exprs.parts([expr]).len();
            to_check = new.map(|unit| (unit, Cases::new(model, unit.expr), parts(unit.expr))).collect();
        }
        site.sourced_mut(&mut self.scratch).expr = changed.whole;
        let model = &self.scratch;
        let mut answer = Some(true);
        for (unit, cases, parts) in to_check {
            let mut work = self.work;
            let fails = |now: &State, next: &State| {
                if work == 0 || !changed.is_felt(model, now, next) {
                    return work == 0;
                }
                work = work.saturating_sub(parts);
                unit.fails_in(model, now, next)
            };
            let fails = cases.count() <= TOTALITY_CASES && cases.any(model, fails);
            self.work = work;
            if cases.count() > TOTALITY_CASES || work == 0 {
                answer = None;
            } else if fails {
                answer = Some(false);
                break;
            }
        }
        site.sourced_mut(&mut self.scratch).expr = original;
        answer
    }
}

impl Known {
    fn is_affected(&self, site: SiteId) -> bool {
        match site {
            SiteId::Define(define) => self.defines.contains(&define),
            site => self.site == site,
        }
    }
}

impl Changed {
    /// Whether the change makes a difference in a case; if not, the enclosing expressions need no check.
    fn is_felt(&self, model: &Model, now: &State, next: &State) -> bool {
        let differs = |now, next| {
            let mut evaluator = Evaluator::new(model, now, next);
            let (old, new) = (evaluator.set(self.original), evaluator.set(self.replacement));
            match (old, new) {
                (Ok(old), Ok(new)) => old != new,
                // In the state in which it is evaluated, all variables have values: it is not evaluated in this one.
                (Err(error), _) | (_, Err(error)) => !error.is_open(),
            }
        };
        // The change may be below a `next`, or in a define that is used below one.
        differs(now, Some(next)) || differs(next, None)
    }
}

/// The defines that an expression uses, directly or indirectly.
fn defines_of(model: &Model, expr: ExprId) -> FxHashSet<DefineId> {
    let mut defines = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        if !seen.insert(expr) {
            continue;
        }
        if let Node::Define(define) = model[expr]
            && defines.insert(define)
        {
            stack.push(model.body(define));
        }
        model[expr].for_each_child(|child| stack.push(child));
    }
    defines
}
