//! The policy of the engines: how much work each attempt is worth before another one is made.
//!
//! Work is counted in steps of decision diagrams (operations that miss the cache), in nodes or in states; no result depends
//! on a clock. Where a number is compared with a time, that is its order of magnitude when it was chosen. Sizes of caches and the policy of
//! reordering belong to `specwright-bdd`.

/// Steps for which a query is tried on the whole model before its cone of influence is:
/// about half a second.
pub(crate) const FIRST_TRY: u64 = 2_000_000;

/// Steps for checking that a group of constraints outside of a cone cannot block the cone.
pub(crate) const INDEPENDENCE: u64 = FIRST_TRY / 2;

/// Engines for cones that are alive at a time. Each has a copy of the model.
pub(crate) const MAX_ENGINES: usize = 16;

/// Steps for one part of a model when its definedness is checked: first for every part, then again for those that were not
/// decided. With the second number, a part takes less than a second.
pub(crate) const DEFINEDNESS: [u64; 2] = [200_000, 2_000_000];

/// Steps for the definedness of all parts of a model together: about two seconds.
pub(crate) const ALL_DEFINEDNESS: u64 = 10_000_000;

/// Cached formulas above which cheap ones are evicted when the diagrams fill up. Of thousands of properties most are not
/// asked for again.
pub(crate) const MAX_FORMULAS: usize = 1000;

/// States for each node of their diagram below which a set of states is thin: its diagram lists them one by one. Then one
/// diagram of the transitions among them is smaller than the clusters of the relation.
pub(crate) const THIN: f64 = 8.0;

/// Nodes for each node of a thin set that the computation of its transitions may take.
pub(crate) const THIN_NODES: usize = 50;

/// Steps for the transitions of a thin set, or [`THIN_FRACTION`] of all steps so far.
pub(crate) const THIN_STEPS: u64 = 300_000;

/// See [`THIN_STEPS`]: a tenth.
pub(crate) const THIN_FRACTION: u64 = 10;

/// Nodes of one cluster of the relation. Few large clusters quantify earlier than many small ones: on a cache-coherence
/// protocol, products are ten times smaller than with clusters of 2,000 nodes.
pub(crate) const CLUSTER_NODES: usize = 10_000;

/// Nodes up to which the transitions of the reachable states are kept as one diagram, to compare goals by their keys.
pub(crate) const KEY_NODES: usize = 20_000;

/// Steps for the search of a lasso with fewer states, whatever the size of the search.
pub(crate) const LASSO_STEPS: u64 = 500_000;

/// Further steps for each unit of the size of that search: the states on loops, times the states of the lasso that is to be
/// shortened. At most 2 were needed on 43 lassos of the NuSMV distribution and other models, so the answer to a search of
/// this size does not depend on what the caches hold.
pub(crate) const LASSO_STEPS_PER_SIZE: u64 = 8;

/// The most of these further steps: some seconds. Of 44 searches on real models none took more than 5,500,000; one of them has
/// a size of 2·10⁷.
pub(crate) const LASSO_FURTHER_STEPS: u64 = 32_000_000;

/// The size above which no lasso with fewer states is searched. Above it, what the caches hold could decide whether
/// one is found.
pub(crate) const LASSO_SIZE: f64 = 1e9;

/// Eventualities in one formula, in whatever order, above which the tableau is faster than following states.
pub(crate) const MAX_EVENTUALITIES: usize = 3;

/// Cases of one formula above which the tableau is faster than following states.
pub(crate) const MAX_CASES: u64 = 64;

/// Steps for the machine in one of the orders of variables that are tried: a few hundredths of a second. Of a survey boat, the
/// order by dependency takes 289,000 steps, and the one with the mode on top 44,000.
pub(crate) const ORDER_TRIAL: u64 = 200_000;

/// Steps for the machine below which no other order is tried: a few milliseconds.
pub(crate) const CHEAP_MACHINE: u64 = 20_000;

/// Percentage of the cases of a machine that read or assign a variable from which on the variable may lie on top.
pub(crate) const ON_TOP_PERCENT: usize = 50;

/// Expressions that are looked into for the cases of a machine.
pub(crate) const MAX_CASE_PARTS: usize = 200_000;

/// Values of a variable that is tried as the scheduling variable of a disjunctive partition.
pub(crate) const MAX_TURNS: u64 = 128;

/// Percentage of the events that touch a variable from which on it is a hub and lies at the bottom of the diagrams.
pub(crate) const HUB_PERCENT: usize = 30;

/// Results that saturation remembers.
pub(crate) const SATURATION_RESULTS: usize = 1 << 20;

/// Steps of saturation after which sifting is tried first.
pub(crate) const SATURATION_STEPS: u64 = 200_000_000;

/// Steps for one more ring around the initial states before the search for a shortest way goes backward from its end: all
/// queries share the rings. If neither way is enough, both are tried with four times as many.
pub(crate) const FORWARD_STEPS: u64 = 100_000;

/// Least ratio of all parts of the relation to those that have a next value of a set: a preimage of such a set multiplies the latter
/// only. With 2, `check` of a ring of 12 stations takes four times as many instructions as with 8; with 16, `generate` of
/// `tictac_modes` takes a quarter more time.
pub(crate) const FEW_PARTS: usize = 8;

/// Steps backward for a single query, see [`FORWARD_STEPS`].
pub(crate) const BACKWARD_STEPS: u64 = 25_000;

/// States for which the state before them on a shortest way is remembered: some ten megabytes for a hundred bits each.
pub(crate) const STEPS_BACK: usize = 1 << 18;

/// Deadlock states that are evaluated one by one, for queries in which a choice decides whether a step matters.
pub(crate) const EXPLICIT_DEADLOCKS: usize = 10_000;

/// Combinations of values that are tried for a pair of executions. Failures are remembered, so few decisions need as many.
pub(crate) const MAX_COMBINATIONS: usize = 20_000;

/// Conditions of a pair of executions: the depth of the search.
pub(crate) const MAX_CONDITIONS: usize = 256;

/// Least steps for the use of a search of the model on a mutant: a tenth of a second. Otherwise those that the search took, which
/// are few where caches had the answer.
pub(crate) const REUSE_STEPS: u64 = 500_000;

/// Steps for the comparison of one mutant with its model: about a second.
pub(crate) const COMPARE_STEPS: u64 = 5_000_000;

/// Steps for the pairs of states that inputs tell apart, which all questions about a model share: some seconds.
pub(crate) const TELL_STEPS: u64 = 20_000_000;

/// Inputs that are tried in the search for a test that kills all runs of a nondeterministic mutant.
pub(crate) const COMPARED_SETS: usize = 2000;

/// Nodes of the and-inverter graph of a model and its queries: about a gigabyte with the clauses of a few steps.
pub(crate) const SAT_NODES: usize = 5_000_000;

/// Conflicts of a SAT solver for the question whether an expression has a value for all codes.
pub(crate) const SAT_CODES_CONFLICTS: u64 = 30_000;

/// The rounds of SAT-based search: the work for each query in the search for executions of one length, and again in the
/// search for a proof. Work is counted in conflicts, and [`SAT_PROPAGATIONS_PER_STEP`].
pub(crate) const SAT_ROUNDS: [u64; 7] = [500, 2000, 8000, 32_000, 128_000, 512_000, 2_000_000];

/// The rounds for queries of test generation. Properties have all: the last ones take minutes for each.
pub(crate) const SAT_QUERY_ROUNDS: usize = 5;

/// Work for each round of the search for a lasso that answers a query: about a minute in all where it is hard.
pub(crate) const SAT_LASSO_WORK: u64 = 32_000;

/// Rounds in which induction over several steps is tried.
pub(crate) const SAT_INDUCTION_ROUNDS: usize = 4;

/// Work for the proof of a property that becomes part of a certificate.
pub(crate) const SAT_CERTIFICATE_WORK: u64 = 200_000;

/// Rounds at the end of which answers are held back: most batches are answered by then, in the order of their queries.
pub(crate) const SAT_HELD_ROUNDS: usize = 2;

/// Literals that a solver propagates that are as much work as a conflict by itself.
pub(crate) const SAT_PROPAGATIONS_PER_STEP: u64 = 1000;

/// The same in bounded search, where clauses are spread over much memory.
pub(crate) const SAT_BOUNDED_PROPAGATIONS: u64 = 300;

/// Bits of a state up to which lemmas about pairs of bits are looked for before proofs are: four times their square are tried.
pub(crate) const SAT_PAIR_BITS: usize = 1000;

/// Work for these lemmas: about a second.
pub(crate) const SAT_PAIR_WORK: u64 = 20_000;

/// Work for the choice of the canonical execution among those of equal length.
pub(crate) const SAT_CHOICE_WORK: u64 = 1_000_000;

/// The most steps of an execution that bounded search looks for.
pub(crate) const SAT_DEPTH: usize = 1000;

/// Nodes of all instances of a graph in bounded search: about two gigabytes of clauses.
pub(crate) const SAT_UNROLLED: usize = 20_000_000;

/// Steps of executions that are looked for in the first round; twice as many in each further one, and any number in the last.
pub(crate) const SAT_FIRST_DEPTH: usize = 8;

/// Steps of decision diagrams for all questions about a model before SAT-based search is asked: about two seconds.
pub(crate) const DIAGRAMS_FIRST: u64 = 10_000_000;

/// Nodes of decision diagrams before SAT-based search is asked. Reordering of more takes many times as long as the steps.
pub(crate) const FIRST_NODES: usize = 300_000;

/// How decision diagrams and SAT-based search take turns: the steps and nodes of diagrams for all questions so far, and, between
/// two turns of diagrams, the work of SAT-based search for each round of a question. After that, SAT-based search has no such
/// limit, and then diagrams have none.
pub(crate) const TURNS: [Turn; 2] =
    [Turn { steps: DIAGRAMS_FIRST, nodes: FIRST_NODES }, Turn { steps: 8 * DIAGRAMS_FIRST, nodes: 8 * FIRST_NODES }];

/// See [`TURNS`]: some seconds.
pub(crate) const TURN_WORK: u64 = 8000;

/// See [`TURNS`].
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    pub(crate) steps: u64,
    pub(crate) nodes: usize,
}

impl Turn {
    /// A turn that only its steps limit.
    pub(crate) const fn of_steps(steps: u64) -> Turn {
        Turn { steps, nodes: usize::MAX }
    }
}

/// Bits of variables above which decision diagrams have no second turn: what they cannot do in the first, they cannot do in
/// many times as long.
pub(crate) const MANY_BITS: u64 = 400;

/// Work of SAT-based search for each round of a question about such a model before diagrams have their turn: half a minute.
pub(crate) const MANY_BITS_WORK: u64 = 8 * TURN_WORK;

/// Bits of variables above which SAT-based search comes after a [`GLANCE`] of decision diagrams: it often decides such a model
/// in the time that these need to be built.
pub(crate) const SAT_FIRST_BITS: u64 = 200;

/// What decision diagrams are worth on a model of more than [`SAT_FIRST_BITS`]: models with few states or simple steps need no
/// more, and then all questions share the states that can be reached.
pub(crate) const GLANCE: Turn = Turn { steps: 1_000_000, nodes: 50_000 };

/// Queries that one thread answers before others may help: a sample of what the rest takes.
pub(crate) const PARALLEL_SAMPLE: usize = 16;

/// Expected steps of decision diagrams from which on further threads help: about half a second. Each of them begins with the
/// encoding of the model.
pub(crate) const PARALLEL_STEPS: u64 = 2_000_000;

/// Queries that a thread takes at a time.
pub(crate) const PARALLEL_CHUNK: usize = 8;

/// Chunks for each thread that are handed out before their turn. Few enough that little work is lost if an answer closes
/// other queries.
pub(crate) const PARALLEL_AHEAD: usize = 4;

/// Conflicts of the solver that finds the parts of a machine that a proof needs: some seconds.
pub(crate) const SAT_CORE_CONFLICTS: u64 = 200_000;

/// Work of the search for a proof of which the needed parts of the machine are asked for: about a second.
pub(crate) const SAT_CORE_WORK: u64 = 100_000;
