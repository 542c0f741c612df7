//! A first order for the variables of the diagrams, before anything is known about sizes.
//!
//! Variables that depend on each other should be close. FORCE (Aloul, Markov and Sakallah, 2003) finds such an order:
//! every assignment and constraint pulls its variables towards their common centre, again and again, and the order with
//! the shortest total span wins. The declared order is where it starts, and stays if nothing is shorter. Other orders go by
//! how many cases read or assign a variable.

use crate::bdd::Var;
use crate::policy::{MAX_CASE_PARTS, ON_TOP_PERCENT};
use crate::symbolic::encoding::layout::Layout;
use crate::symbolic::encoding::machine::operands;
use specwright_model::op::BinaryOp;
use specwright_model::{Domain, ExprId, Node, TransitionSystem, VarId};
use specwright_syntax::budget::Budget;
use std::collections::BinaryHeap;
use std::rc::Rc;

/// Rounds of pulling.
const ROUNDS: usize = 60;

/// Pulls at single variables in all rounds: there are fewer rounds if thousands of variables depend on hundreds each. These
/// take a few tenths of a second.
const MAX_PULLS: usize = 20_000_000;

/// Defines that are looked into for one assignment or constraint. One that needs more relates nearly everything.
const MAX_DEFINES: usize = 2000;

/// Defines that are looked into for all of them together. After that, defines count as if they mentioned nothing.
const MAX_ALL_DEFINES: usize = 1_000_000;

/// The bits from top to bottom, each named by its current-state variable: those that are wished for, then the others by
/// dependency.
pub(crate) fn bits(system: &TransitionSystem, layout: &Layout, wished: Option<&[String]>) -> Vec<Var> {
    let mut bits = Vec::new();
    for name in wished.into_iter().flatten() {
        bits.extend(wished_bits(system, layout, name));
    }
    bits.extend(Orders::new(system, layout).by_dependency());
    let mut seen = rustc_hash::FxHashSet::default();
    bits.retain(|bit| seen.insert(*bit));
    bits
}

/// Orders of the variables of a system.
pub(crate) struct Orders<'m> {
    system: &'m TransitionSystem,
    layout: &'m Layout,
    /// For every assignment and constraint, the variables that it relates.
    edges: Vec<Vec<usize>>,
    /// The variables by dependency.
    order: Vec<VarId>,
}

impl<'m> Orders<'m> {
    pub(crate) fn new(system: &'m TransitionSystem, layout: &'m Layout) -> Orders<'m> {
        let edges = hyperedges(system);
        let order = force(system.vars.len(), &edges, &system.budget);
        Orders { system, layout, edges, order }
    }

    /// Variables that depend on each other lie close.
    pub(crate) fn by_dependency(&self) -> Vec<Var> {
        self.bits(&self.order)
    }

    /// Variables that many cases read or assign lie on top: those of most cases, with the others by dependency; and all in
    /// the order of their number of cases.
    pub(crate) fn by_use(&self) -> [Vec<Var>; 2] {
        let cases = cases(self.system);
        let mut uses = vec![0; self.system.vars.len()];
        for var in cases.iter().flatten() {
            uses[*var] += 1;
        }
        let of = |var: &VarId| uses[var.0 as usize];
        let mut most = self.order.clone();
        most.sort_by_key(|var| 100 * of(var) < ON_TOP_PERCENT * cases.len());
        let mut all: Vec<VarId> = self.system.vars().map(|(var, _)| var).collect();
        all.sort_by_key(|var| std::cmp::Reverse(of(var)));
        [self.bits(&most), self.bits(&all)]
    }

    fn bits(&self, order: &[VarId]) -> Vec<Var> {
        interleaved(self.system, self.layout, &self.edges, order)
    }
}

/// The bits of `name`, or the one bit of `name.place`.
fn wished_bits(system: &TransitionSystem, layout: &Layout, name: &str) -> Vec<Var> {
    if let Some(var) = system.var_named(name) {
        return layout.bits(var).to_vec();
    }
    let bit = name.rsplit_once('.').and_then(|(name, place)| {
        let bits = layout.bits(system.var_named(name)?);
        let place: usize = place.parse().ok()?;
        bits.len().checked_sub(place + 1).map(|index| bits[index])
    });
    bit.into_iter().collect()
}

/// The bits of variables in an order; words of one width that are related lie bit by bit together, as arithmetic wants it.
fn interleaved(system: &TransitionSystem, layout: &Layout, edges: &[Vec<usize>], order: &[VarId]) -> Vec<Var> {
    let kin = related_words(system, edges);
    let mut families: Vec<Vec<&[Var]>> = vec![Vec::new(); kin.len()];
    for var in order {
        families[kin[var.0 as usize]].push(layout.bits(*var));
    }
    let mut bits = Vec::new();
    for var in order {
        // A family stands where its first member does.
        let columns = std::mem::take(&mut families[kin[var.0 as usize]]);
        let height = columns.iter().map(|column| column.len()).max().unwrap_or(0);
        for place in 0..height {
            bits.extend(columns.iter().filter_map(|column| column.get(place)));
        }
    }
    bits
}

/// For each variable the first one of its family: itself, or a word of the same width that some chain of assignments and
/// constraints relates to it.
fn related_words(system: &TransitionSystem, edges: &[Vec<usize>]) -> Vec<usize> {
    fn head(kin: &mut [usize], mut var: usize) -> usize {
        while kin[var] != var {
            kin[var] = kin[kin[var]];
            var = kin[var];
        }
        var
    }
    let wide = |var: usize| match system.vars[var].domain {
        Domain::Word { width, .. } if width > 2 => Some(width),
        _ => None,
    };
    let mut kin: Vec<usize> = (0..system.vars.len()).collect();
    for edge in edges {
        let mut words: Vec<usize> = edge.iter().copied().filter(|var| wide(*var).is_some()).collect();
        words.sort_by_key(|var| (wide(*var), *var));
        for pair in words.chunk_by(|a, b| wide(*a) == wide(*b)).flat_map(|chunk| chunk.windows(2)) {
            let (a, b) = (head(&mut kin, pair[0]), head(&mut kin, pair[1]));
            kin[a.max(b)] = a.min(b);
        }
    }
    (0..kin.len()).map(|var| head(&mut kin, var)).collect()
}

/// The variables in an order of short spans, the best one so far if the run is cancelled.
fn force(n_vars: usize, edges: &[Vec<usize>], budget: &Budget) -> Vec<VarId> {
    let n_pulls = n_vars + edges.iter().map(Vec::len).sum::<usize>();
    let n_rounds = ROUNDS.min(MAX_PULLS / n_pulls.max(1));
    let mut place: Vec<usize> = (0..n_vars).collect();
    let mut best = (total_span(edges, &place), place.clone());
    for _ in 0..n_rounds {
        if budget.is_cancelled() {
            break;
        }
        let centres: Vec<f64> = edges.iter().map(|edge| centre(edge, &place)).collect();
        let mut pulls = vec![(0.0, 0u32); n_vars];
        for (edge, centre) in edges.iter().zip(&centres) {
            for var in edge {
                pulls[*var].0 += centre;
                pulls[*var].1 += 1;
            }
        }
        let wanted = |var: usize| match pulls[var] {
            (_, 0) => centre(&[var], &place),
            (sum, n) => sum / f64::from(n),
        };
        let mut order: Vec<usize> = (0..n_vars).collect();
        order.sort_by(|a, b| wanted(*a).total_cmp(&wanted(*b)).then(place[*a].cmp(&place[*b])));
        let mut moved = vec![0; n_vars];
        for (index, var) in order.iter().enumerate() {
            moved[*var] = index;
        }
        if moved == place {
            break;
        }
        place = moved;
        let span = total_span(edges, &place);
        if span < best.0 {
            best = (span, place.clone());
        }
    }
    let mut order: Vec<usize> = (0..n_vars).collect();
    order.sort_by_key(|var| best.1[*var]);
    order.into_iter().map(|var| VarId(var as u32)).collect()
}

#[expect(clippy::cast_precision_loss, reason = "places of variables are far from 2^52")]
fn centre(edge: &[usize], place: &[usize]) -> f64 {
    edge.iter().map(|var| place[*var] as f64).sum::<f64>() / edge.len() as f64
}

fn total_span(edges: &[Vec<usize>], place: &[usize]) -> usize {
    let span = |edge: &Vec<usize>| {
        let places = edge.iter().map(|var| place[*var]);
        places.clone().max().unwrap_or(0) - places.min().unwrap_or(0)
    };
    edges.iter().map(span).sum()
}

/// For every assignment and constraint, the variables that it relates.
fn hyperedges(system: &TransitionSystem) -> Vec<Vec<usize>> {
    let mut support = Support::new(system);
    let mut edges = Vec::new();
    for assign in &system.assigns {
        let mut edge = support.of(assign.value.expr);
        edge.push(assign.var.0 as usize);
        edges.push(edge);
    }
    for written in system.init.iter().chain(&system.trans).chain(&system.invar) {
        edges.extend(operands(system, written.expr, BinaryOp::And).into_iter().map(|part| support.of(part)));
    }
    telling(system, edges)
}

/// For every case of an assignment and every alternative of a constraint, the variables that it relates.
fn cases(system: &TransitionSystem) -> Vec<Vec<usize>> {
    let mut support = Support::new(system);
    let mut left = MAX_CASE_PARTS;
    let mut edges = Vec::new();
    for assign in &system.assigns {
        // A value, and what it takes to get there.
        let mut open = vec![(assign.value.expr, vec![assign.var.0 as usize])];
        while let Some((value, mut edge)) = open.pop() {
            if left == 0 {
                return telling(system, edges);
            }
            left -= 1;
            let mut guarded = |guard: ExprId, value: ExprId| {
                let alternatives = operands(system, guard, BinaryOp::Or);
                left = left.saturating_sub(alternatives.len());
                open.extend(alternatives.into_iter().map(|part| (value, [edge.clone(), support.of(part)].concat())));
            };
            match &system[value] {
                Node::Case(branches) => branches.iter().for_each(|(guard, value)| guarded(*guard, *value)),
                Node::Ite(guard, then, otherwise) => {
                    guarded(*guard, *then);
                    open.push((*otherwise, edge));
                }
                _ => {
                    edge.extend(support.of(value));
                    edges.push(edge);
                }
            }
        }
    }
    for written in system.init.iter().chain(&system.trans).chain(&system.invar) {
        for part in operands(system, written.expr, BinaryOp::And) {
            edges.extend(operands(system, part, BinaryOp::Or).into_iter().map(|part| support.of(part)));
        }
    }
    telling(system, edges)
}

/// The edges without those that say nothing about order: what relates one variable, or nearly all of them.
fn telling(system: &TransitionSystem, mut edges: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    for edge in &mut edges {
        edge.sort_unstable();
        edge.dedup();
    }
    edges.retain(|edge| edge.len() > 1 && edge.len() <= 64.max(system.vars.len() / 2));
    edges
}

struct Support<'m> {
    system: &'m TransitionSystem,
    /// For each define that was looked into, the variables and the defines that its body mentions.
    defines: Vec<Option<Mentions>>,
    /// For each define, the last expression for which it was needed, counted from 1.
    needed_for: Vec<usize>,
    n_asked: usize,
    /// Defines that may still be looked into.
    left: usize,
}

/// The variables and the defines that an expression mentions by name.
type Mentions = Rc<(Vec<usize>, Vec<usize>)>;

impl<'m> Support<'m> {
    fn new(system: &'m TransitionSystem) -> Support<'m> {
        let n_defines = system.defines.len();
        Support {
            system,
            defines: vec![None; n_defines],
            needed_for: vec![0; n_defines],
            n_asked: 0,
            left: MAX_ALL_DEFINES,
        }
    }

    fn of(&mut self, expr: ExprId) -> Vec<usize> {
        self.n_asked += 1;
        // Defines come after those that they use, so going through them from the last one needs no recursion.
        let mut open = BinaryHeap::new();
        let mut vars = Vec::new();
        let least = self.left.saturating_sub(MAX_DEFINES);
        let mut mentions = self.mentions(expr);
        loop {
            vars.extend(&mentions.0);
            for define in &mentions.1 {
                if std::mem::replace(&mut self.needed_for[*define], self.n_asked) != self.n_asked {
                    open.push(*define);
                }
            }
            if self.left <= least || self.system.budget.is_cancelled() {
                break;
            }
            let Some(define) = open.pop() else { break };
            self.left -= 1;
            mentions = if let Some(known) = &self.defines[define] {
                Rc::clone(known)
            } else {
                let found = self.mentions(self.system.defines[define].body.expr);
                self.defines[define].insert(found).clone()
            };
        }
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    fn mentions(&self, expr: ExprId) -> Mentions {
        let (mut vars, mut defines) = (Vec::new(), Vec::new());
        for part in self.system.context.exprs.parts([expr]) {
            match self.system[part] {
                Node::Var(var) => vars.push(var.0 as usize),
                Node::Define(define) => defines.push(define.0 as usize),
                _ => {}
            }
        }
        Rc::new((vars, defines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use specwright_model::testing::model;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    /// Latches that are related in pairs, far from each other where they are declared, through chains of defines.
    fn pairs(n: usize) -> String {
        let mut lines = vec!["MODULE main VAR".to_owned()];
        lines.extend((0..2 * n).map(|var| format!("v{var} : boolean;")));
        lines.push("DEFINE".into());
        lines.extend((0..n).map(|var| format!("d{var} := !v{var}; e{var} := d{var} & d{var};")));
        lines.push("ASSIGN".into());
        lines.extend((0..n).map(|var| format!("next(v{}) := e{var};", var + n)));
        lines.join(" ")
    }

    #[test]
    fn variables_that_defines_relate_lie_together() {
        let model = model(&pairs(20));
        let edges = hyperedges(&model.system);
        assert_eq!(edges.len(), 20);
        let order = force(40, &edges, &Budget::default());
        let place = |var: u32| order.iter().position(|other| other.0 == var).expect("all variables are there");
        for var in 0..20 {
            assert_eq!(place(var).abs_diff(place(var + 20)), 1, "{order:?}");
        }
    }

    #[test]
    fn a_cancelled_run_has_the_declared_order() {
        let edges = vec![vec![0, 2], vec![1, 3]];
        let declared: Vec<VarId> = (0..4).map(VarId).collect();
        assert_ne!(force(4, &edges, &Budget::default()), declared);
        let cancelled = Budget::until(Arc::new(AtomicBool::new(true)));
        assert_eq!(force(4, &edges, &cancelled), declared);
    }
}
