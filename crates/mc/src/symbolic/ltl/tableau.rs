//! The tableau of a linear formula: the product of the machine with the obligations of a path.
//!
//! Every formula under a `next` gets a bit: the obligation that it holds at the next position. A step meets the obligations
//! of the position before it, and a formula holds at a position if its parts and obligations say so. That of an *until* must not
//! be put off without end, which is a justice constraint. Formulas of the past get a bit that remembers the last position.
//! (After Clarke, Grumberg and Hamaguchi, but with obligations in one direction only: a position without obligations ends a
//! finite witness.)
//!
//! An atom over the next state is an obligation, too: the step from here satisfies it.

use crate::bdd::{Bdd, Limit, Var};
use crate::encode::Time;
use crate::ltl::{Linear, LinearId};
use crate::query::mentions_next;
use crate::symbolic::Symbolic;
use crate::symbolic::ctl::Stop;
use crate::symbolic::ctl::fair::Fairness;
use crate::symbolic::ltl::LtlCache;
use crate::symbolic::relation::{Alphabet, Relation};
use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use specwright_model::model::VarKind;
use specwright_model::{ExprId, Node, VarId};

/// The product of the machine with one linear formula.
pub(crate) struct Product {
    pub(crate) formula: LinearId,
    /// The steps that keep their promises.
    pub(crate) relation: Relation,
    /// What positions and steps are made of.
    pub(crate) alphabet: Alphabet,
    /// Initial states of the machine in which the formula is promised to hold.
    pub(crate) start: Bdd,
    /// The same wherever the machine may be; formulas that look back need the start.
    pub(crate) anywhere: Bdd,
    /// Positions without open promises that must be kept, even if the path ends.
    pub(crate) settled: Bdd,
    /// Positions without any open promises.
    pub(crate) quiet: Bdd,
    /// What must happen again and again, the machine's own constraints included.
    pub(crate) fairness: Fairness,
    /// The bits of promises and memories.
    pub(crate) bits: Vec<Var>,
    /// Whether inputs are part of the positions, because the formula speaks of them.
    pub(crate) with_inputs: bool,
}

/// What a formula makes paths promise and remember.
pub(crate) struct Obligations {
    /// Positions at which the formula is promised to hold.
    truth: Bdd,
    /// What is remembered at the start of a path.
    start: Bdd,
    /// What each step keeps.
    pub(crate) steps: Vec<Bdd>,
    settled: Bdd,
    quiet: Bdd,
    /// Justice constraints: an obligation is not put off without end.
    pub(crate) justice: Vec<Bdd>,
    pub(crate) bits: Vec<Var>,
}

impl Symbolic {
    /// The product with a formula; with or without the machine's compassion constraints.
    pub(crate) fn product(&mut self, formula: LinearId, compassionate: bool) -> Result<Product, Stop> {
        let parts = self.linear.parts(formula);
        let atoms: Vec<ExprId> = parts
            .iter()
            .filter_map(|part| match self.linear[*part] {
                Linear::Atom(expr, _) | Linear::NotAtom(expr, _) => Some(expr),
                _ => None,
            })
            .collect();
        // The algorithm for compassion knows sets of positions only, not of steps.
        let with_inputs = compassionate || atoms.into_iter().any(|atom| self.mentions_input(atom));
        let Obligations { truth, start, mut steps, settled, quiet, justice, bits } = self.promises(formula, 0)?;
        let manager = self.manager.clone();
        let machine = &self.machine;
        // The product stays among the reachable states, and the relation among these is smaller.
        let relation = self.reachable.care_relation.as_ref().unwrap_or(&machine.relation);
        steps.extend(relation.list()?.iter().cloned());
        let mut alphabet = Alphabet { state: machine.alphabet.state.clone(), input: machine.alphabet.input.clone() };
        if with_inputs {
            alphabet.state.append(&mut alphabet.input);
        }
        alphabet.state.extend(&bits);
        let mut fairness = Fairness { justice, compassion: Vec::new() };
        fairness.justice.extend(machine.fairness.justice.iter().cloned());
        if compassionate {
            fairness.compassion.clone_from(&machine.fairness.compassion);
        }
        let relation = Relation::new(&manager, &steps, &alphabet)?;
        let start = manager.and(&manager.and(&truth, &start)?, &machine.init)?;
        Ok(Product { formula, relation, alphabet, start, anywhere: truth, settled, quiet, fairness, bits, with_inputs })
    }

    /// The machine alone, with the reachable states as its positions, for a formula without obligations. Needs `prepare`.
    pub(crate) fn plain_product(&self, formula: LinearId) -> Product {
        let always = self.manager.constant(true);
        let machine = &self.machine;
        Product {
            formula,
            relation: self.arena().relation.clone(),
            alphabet: machine.alphabet.clone(),
            start: machine.init.clone(),
            anywhere: always.clone(),
            settled: always.clone(),
            quiet: always,
            fairness: Fairness { justice: machine.fairness.justice.clone(), compassion: Vec::new() },
            bits: Vec::new(),
            with_inputs: false,
        }
    }

    /// What a formula makes paths promise and remember. Where a path is followed in several rounds at once, each has bits
    /// of its own.
    pub(crate) fn promises(&mut self, formula: LinearId, round: usize) -> Result<Obligations, Stop> {
        let mut tableau = Tableau { engine: self, round, bits: IndexSet::new(), truth: FxHashMap::default() };
        let truth = tableau.truth(formula)?;
        let manager = tableau.engine.manager.clone();
        let mut start = manager.constant(true);
        let (mut settled, mut quiet) = (start.clone(), start.clone());
        let (mut steps, mut justice, mut bits) = (Vec::new(), Vec::new(), Vec::new());
        // Making one bit's constraint may need more bits, so they are worked off until none is left.
        while let Some(promise) = tableau.bits.get_index(bits.len()).copied() {
            let bit = tableau.engine.spare_bit(round, bits.len());
            bits.push(bit);
            match tableau.engine.linear[promise] {
                Linear::Next(inner) => {
                    let kept = manager.swap_next(&tableau.truth(inner)?)?;
                    let promised = manager.var(bit)?;
                    steps.push(manager.implies(&promised, &kept)?);
                    settled = manager.diff(&settled, &promised)?;
                    quiet = manager.diff(&quiet, &promised)?;
                    if let Linear::Until(_, goal) = tableau.engine.linear[inner] {
                        justice.push(manager.or(&manager.not(&promised), &tableau.truth(goal)?)?);
                    }
                }
                Linear::WeakNext(inner) => {
                    let kept = manager.swap_next(&tableau.truth(inner)?)?;
                    let promised = manager.var(bit)?;
                    steps.push(manager.implies(&promised, &kept)?);
                    quiet = manager.diff(&quiet, &promised)?;
                }
                Linear::Atom(..) | Linear::NotAtom(..) => {
                    let kept = tableau.engine.atom(promise, Time::Now)?;
                    let promised = manager.var(bit)?;
                    steps.push(manager.implies(&promised, &kept)?);
                    settled = manager.diff(&settled, &promised)?;
                    quiet = manager.diff(&quiet, &promised)?;
                }
                Linear::Before(inner, first) => {
                    steps.push(manager.iff(&manager.var(bit + 1)?, &tableau.truth(inner)?)?);
                    let remembered = manager.var(bit)?;
                    start = manager.and(&start, &if first { remembered } else { manager.not(&remembered) })?;
                }
                other => unreachable!("{other:?} has no bit"),
            }
        }
        Ok(Obligations { truth, start, steps, settled, quiet, justice, bits })
    }

    /// A bit that no variable of the model has. Those of later rounds lie beside their likes of earlier ones.
    pub(crate) fn spare_bit(&mut self, round: usize, index: usize) -> Var {
        let Symbolic { ltl: LtlCache { spare_bits, .. }, manager, .. } = self;
        while index >= spare_bits.len() {
            spare_bits.push(vec![manager.add_pair()]);
        }
        let rounds = &mut spare_bits[index];
        while round >= rounds.len() {
            rounds.push(manager.add_pair_below(rounds[rounds.len() - 1]));
        }
        rounds[round]
    }

    /// Whether an expression speaks of inputs.
    pub(crate) fn mentions_input(&self, expr: ExprId) -> bool {
        self.system.mentions(expr, |node| matches!(node, Node::Var(var) if self.is_input(*var)))
    }

    /// Whether an expression speaks of next states.
    pub(crate) fn mentions_next(&self, expr: ExprId) -> bool {
        mentions_next(&self.system, expr)
    }

    /// Whether an expression speaks of steps: of inputs or of next states.
    pub(crate) fn mentions_step(&self, expr: ExprId) -> bool {
        self.mentions_input(expr) || self.mentions_next(expr)
    }

    /// The states, or the steps, that satisfy an atom.
    pub(crate) fn atom(&mut self, atom: LinearId, time: Time) -> Result<Bdd, Stop> {
        match self.linear[atom] {
            Linear::Atom(expr, value) => self.with_value(expr, value, time),
            Linear::NotAtom(expr, value) => {
                let has_value = self.with_value(expr, value, time)?;
                Ok(self.manager.not(&has_value))
            }
            other => unreachable!("{other:?} is no atom"),
        }
    }

    /// The states, or the steps, in which an expression or a formula of CTL has a truth value.
    fn with_value(&mut self, expr: ExprId, value: bool, time: Time) -> Result<Bdd, Stop> {
        if !self.is_temporal(expr) {
            return Ok(self.plain(expr, time, value)?);
        }
        let states = self.deciding(expr, value)?;
        Ok(if time == Time::Next { self.manager.swap_next(&states)? } else { states })
    }

    fn is_input(&self, var: VarId) -> bool {
        self.system[var].kind == VarKind::Input
    }
}

struct Tableau<'e> {
    engine: &'e mut Symbolic,
    round: usize,
    /// The promises and memories that have a bit, in the order of the spare bits.
    bits: IndexSet<LinearId>,
    truth: FxHashMap<LinearId, Bdd>,
}

impl Tableau<'_> {
    /// The positions at which a formula holds, in terms of atoms, promises and memories.
    fn truth(&mut self, formula: LinearId) -> Result<Bdd, Stop> {
        if let Some(known) = self.truth.get(&formula) {
            return Ok(known.clone());
        }
        let truth = stacker::maybe_grow(64 << 10, 1 << 20, || self.truth_node(formula))?;
        self.truth.insert(formula, truth.clone());
        Ok(truth)
    }

    fn truth_node(&mut self, formula: LinearId) -> Result<Bdd, Stop> {
        let manager = self.engine.manager.clone();
        Ok(match self.engine.linear[formula] {
            Linear::True => manager.constant(true),
            Linear::False => manager.constant(false),
            Linear::Atom(expr, _) | Linear::NotAtom(expr, _) if self.engine.mentions_next(expr) => self.bit(formula)?,
            Linear::Atom(..) | Linear::NotAtom(..) => self.engine.atom(formula, Time::Now)?,
            Linear::And(a, b) => manager.and(&self.truth(a)?, &self.truth(b)?)?,
            Linear::Or(a, b) => manager.or(&self.truth(a)?, &self.truth(b)?)?,
            Linear::Next(_) | Linear::Before(..) | Linear::WeakNext(_) => self.bit(formula)?,
            Linear::Until(a, b) => {
                let later = self.engine.linear.next(formula);
                let go_on = manager.and(&self.truth(a)?, &self.bit(later)?)?;
                manager.or(&self.truth(b)?, &go_on)?
            }
            Linear::Release(a, b) => {
                let later = self.engine.linear.next(formula);
                let go_on = manager.or(&self.truth(a)?, &self.bit(later)?)?;
                manager.and(&self.truth(b)?, &go_on)?
            }
            Linear::WeakUntil(a, b) => {
                let later = self.engine.linear.later(formula);
                let go_on = manager.and(&self.truth(a)?, &self.bit(later)?)?;
                manager.or(&self.truth(b)?, &go_on)?
            }
            Linear::WeakRelease(a, b) => {
                let later = self.engine.linear.later(formula);
                let go_on = manager.or(&self.truth(a)?, &self.bit(later)?)?;
                manager.and(&self.truth(b)?, &go_on)?
            }
            Linear::Since(a, b) => {
                let earlier = self.engine.linear.before(formula, false);
                let so_far = manager.and(&self.truth(a)?, &self.bit(earlier)?)?;
                manager.or(&self.truth(b)?, &so_far)?
            }
            Linear::Trigger(a, b) => {
                let earlier = self.engine.linear.before(formula, true);
                let so_far = manager.or(&self.truth(a)?, &self.bit(earlier)?)?;
                manager.and(&self.truth(b)?, &so_far)?
            }
        })
    }

    /// The bit of a promise or memory.
    fn bit(&mut self, formula: LinearId) -> Result<Bdd, Limit> {
        let (index, _) = self.bits.insert_full(formula);
        let bit = self.engine.spare_bit(self.round, index);
        self.engine.manager.var(bit)
    }
}
