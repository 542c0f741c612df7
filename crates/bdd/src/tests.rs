//! Every operation compared with truth tables, in every order; limits; reordering; and independence of the order.

#![expect(clippy::float_cmp, reason = "powers of two are exact")]

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::*;

/// Four pairs: a truth table has 256 rows, row `r` giving variable `v` the value of bit `v` of `r`.
const N_VARS: u32 = 8;

/// A xorshift generator; quality does not matter here.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn shuffled<T>(&mut self, mut items: Vec<T>) -> Vec<T> {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
        items
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Table(Vec<bool>);

impl Table {
    fn of(f: impl Fn(usize) -> bool) -> Self {
        Table((0..1 << N_VARS).map(f).collect())
    }

    fn map2(&self, other: &Table, op: impl Fn(bool, bool) -> bool) -> Self {
        Table::of(|row| op(self.0[row], other.0[row]))
    }

    fn exists(&self, vars: &[Var]) -> Self {
        vars.iter()
            .fold(self.clone(), |table, &var| Table::of(|row| table.0[row & !(1 << var)] || table.0[row | 1 << var]))
    }

    fn not(&self) -> Self {
        Table::of(|row| !self.0[row])
    }
}

fn manager(n_vars: u32, reordering: Reordering) -> Manager {
    Manager::new(&Config { reordering, ..Config::new(n_vars) })
}

fn table_of(f: &Bdd) -> Table {
    Table::of(|row| f.eval(&|var| row >> var & 1 == 1))
}

fn random_vars(random: &mut Random) -> Vec<Var> {
    (0..N_VARS).filter(|_| random.below(3) == 0).collect()
}

/// One random operation on members of the pool, on diagrams and on truth tables.
fn random_step(m: &Manager, pool: &[(Bdd, Table)], random: &mut Random) -> (Bdd, Table) {
    let mut pick = || &pool[random.below(pool.len())];
    let ((f, ft), (g, gt), (h, ht)) = (pick(), pick(), pick());
    let vars = random_vars(random);
    let cube = m.cube(&vars).unwrap();
    match random.below(13) {
        0 => (m.and(f, g).unwrap(), ft.map2(gt, |a, b| a && b)),
        1 => (m.or(f, g).unwrap(), ft.map2(gt, |a, b| a || b)),
        2 => (m.xor(f, g).unwrap(), ft.map2(gt, |a, b| a != b)),
        3 => (m.iff(f, g).unwrap(), ft.map2(gt, |a, b| a == b)),
        4 => (m.implies(f, g).unwrap(), ft.map2(gt, |a, b| !a || b)),
        5 => (m.diff(f, g).unwrap(), ft.map2(gt, |a, b| a && !b)),
        6 => (m.not(f), ft.not()),
        7 => (m.ite(f, g, h).unwrap(), Table::of(|row| if ft.0[row] { gt.0[row] } else { ht.0[row] })),
        8 => (m.exists(f, &cube).unwrap(), ft.exists(&vars)),
        9 => (m.forall(f, &cube).unwrap(), ft.not().exists(&vars).not()),
        10 => (m.and_exists(f, g, &cube).unwrap(), ft.map2(gt, |a, b| a && b).exists(&vars)),
        11 => {
            let swapped = |row: usize| (row & 0x55) << 1 | (row & 0xaa) >> 1;
            (m.swap_next(f).unwrap(), Table::of(|row| ft.0[swapped(row)]))
        }
        _ => {
            let literals: Vec<_> = vars.iter().map(|&var| (var, random.below(2) == 0)).collect();
            let fixed = |row: usize| {
                literals.iter().fold(row, |row, &(var, value)| if value { row | 1 << var } else { row & !(1 << var) })
            };
            (m.cofactor(f, &literals).unwrap(), Table::of(|row| ft.0[fixed(row)]))
        }
    }
}

fn check_queries(f: &Bdd, table: &Table, random: &mut Random) {
    assert_eq!(&table_of(f), table);
    assert_eq!(f.is_true(), table.0.iter().all(|&b| b));
    assert_eq!(f.is_false(), !table.0.iter().any(|&b| b));
    let depends = |var: &Var| (0..1 << N_VARS).any(|row| table.0[row] != table.0[row ^ 1 << *var]);
    assert_eq!(f.support(), (0..N_VARS).filter(depends).collect::<Vec<_>>());
    let solutions = table.0.iter().map(|&b| u32::from(b)).sum::<u32>();
    let count = f.sat_count(N_VARS);
    assert_eq!(count.exact, Some(u128::from(solutions)));
    assert!((count.approximate - f64::from(solutions)).abs() < 1e-9);

    let priorities: Vec<_> = (0..N_VARS).map(|var| (var, random.below(2) == 0)).collect();
    let priorities = random.shuffled(priorities);
    let rows = (0..1_usize << N_VARS).filter(|&row| table.0[row]);
    let regrets = |row: &usize| priorities.iter().map(|&(var, wish)| (row >> var & 1 == 1) != wish).collect::<Vec<_>>();
    let expected = rows.min_by_key(regrets).map(|row| priorities.iter().map(|&(var, _)| row >> var & 1 == 1).collect());
    assert_eq!(f.pick(&priorities), expected);
}

fn check_against_tables(reordering: Reordering, seed: u64) {
    let random = &mut Random(seed);
    let m = manager(N_VARS, reordering);
    let mut pool: Vec<_> = (0..N_VARS).map(|var| (m.var(var).unwrap(), Table::of(|row| row >> var & 1 == 1))).collect();
    for round in 0..400 {
        let (f, table) = random_step(&m, &pool, random);
        check_queries(&f, &table, random);
        let (care, care_table) = &pool[random.below(pool.len())];
        let minimized = m.restrict(&f, care).unwrap();
        assert!(minimized.node_count() <= f.node_count());
        if !care.is_false() {
            let agrees = table_of(&minimized).map2(&table, |a, b| a == b);
            assert!(care_table.map2(&agrees, |c, a| !c || a).0.iter().all(|&b| b));
        }
        if pool.len() < 60 {
            pool.push((f, table));
        } else {
            let victim = random.below(pool.len());
            pool[victim] = (f, table);
        }
        match round % 40 {
            10 => m.collect_garbage(),
            20 => {
                let order = random.shuffled((0..N_VARS).step_by(2).collect());
                m.set_order(&order).unwrap();
                let pairs: Vec<_> = m.order().into_iter().step_by(2).collect();
                assert_eq!(pairs, order);
            }
            30 => m.reorder(),
            _ => {}
        }
        // Equal functions have equal handles, in whatever order they were made.
        let mut by_table: HashMap<&Table, &Bdd> = HashMap::new();
        for (f, table) in &pool {
            assert_eq!(*by_table.entry(table).or_insert(f), f);
        }
        let order = m.order();
        assert!(order.chunks(2).all(|pair| pair[0] % 2 == 0 && pair[1] == pair[0] + 1));
    }
    for (f, table) in &pool {
        assert_eq!(&table_of(f), table);
    }
}

#[test]
fn operations_agree_with_truth_tables() {
    for seed in 1..=8 {
        check_against_tables(Reordering::Off, seed);
    }
}

#[test]
fn operations_agree_with_truth_tables_while_the_order_changes() {
    for seed in 1..=8 {
        check_against_tables(Reordering::Always, seed);
    }
}

/// `x0 & y0 | x1 & y1 | …`, which is exponential when all `x` come first.
fn matching(m: &Manager, n: u32) -> Bdd {
    try_matching(m, n).unwrap()
}

fn try_matching(m: &Manager, n: u32) -> Result<Bdd, Limit> {
    let mut f = m.constant(false);
    for i in 0..n {
        f = m.or(&f, &m.and(&m.var(2 * i)?, &m.var(2 * (n + i))?)?)?;
    }
    Ok(f)
}

#[test]
fn sifting_repairs_a_bad_order() {
    let n = 12;
    let m = manager(4 * n, Reordering::Off);
    let f = matching(&m, n);
    assert!(f.node_count() > 4000);
    m.reorder();
    assert_eq!(f.node_count(), 2 * n as usize);
}

#[test]
fn automatic_reordering_keeps_a_bad_order_small() {
    let n = 24;
    let m = manager(4 * n, Reordering::Auto);
    let f = matching(&m, n);
    assert!(m.statistics().reorderings > 0);
    assert!(m.statistics().peak_nodes < 1_000_000);
    m.reorder();
    assert_eq!(f.node_count(), 2 * n as usize);
}

#[test]
fn a_trusted_order_is_kept_longer() {
    let m = manager(4 * 18, Reordering::Auto);
    m.trust_order();
    assert!(matching(&m, 12).node_count() > 4000);
    assert_eq!(m.statistics().reorderings, 0);
    matching(&m, 18);
    assert!(m.statistics().reorderings > 0);
}

#[test]
fn an_initial_order_can_be_given() {
    let order = vec![4, 0, 6, 2];
    let m = Manager::new(&Config { order: Some(order), ..Config::new(8) });
    assert_eq!(m.order(), [4, 5, 0, 1, 6, 7, 2, 3]);
    assert_eq!(m.add_pair(), 8);
    assert_eq!(m.order(), [4, 5, 0, 1, 6, 7, 2, 3, 8, 9]);
}

#[test]
fn a_pair_can_be_inserted_between_others() {
    let m = Manager::new(&Config { order: Some(vec![4, 0, 6, 2]), ..Config::new(8) });
    let f = m.iff(&m.var(0).unwrap(), &m.var(6).unwrap()).unwrap();
    assert_eq!(m.add_pair_below(0), 8);
    assert_eq!(m.order(), [4, 5, 0, 1, 8, 9, 6, 7, 2, 3]);
    assert_eq!(m.add_pair_below(3), 10);
    assert_eq!(m.order(), [4, 5, 0, 1, 8, 9, 6, 7, 2, 3, 10, 11]);
    // Existing functions are found again, and can be combined with new ones.
    assert_eq!(m.iff(&m.var(0).unwrap(), &m.var(6).unwrap()).unwrap(), f);
    let g = m.and(&f, &m.iff(&m.var(8).unwrap(), &m.var(10).unwrap()).unwrap()).unwrap();
    m.reorder();
    assert_eq!(g.support().len(), 4);
    assert_eq!(m.exists(&g, &m.cube(&[8, 10]).unwrap()).unwrap(), f);
}

#[test]
fn an_attempt_leaves_limits_and_order_as_they_were() {
    let m = manager(80, Reordering::Auto);
    let order = m.order();
    assert!(m.attempt(10_000, || try_matching(&m, 20)).unwrap().is_none());
    assert_eq!((m.order(), m.reordering()), (order, Reordering::Auto));
    assert!(m.attempt(u64::MAX, || m.var(0)).unwrap().is_some());
    let _limited = m.enter(&Limits { interrupt: Some(Arc::new(AtomicBool::new(true))), ..Limits::default() });
    assert_eq!(m.attempt(u64::MAX, || try_matching(&m, 3)), Err(Limit::Interrupted));
}

#[test]
fn running_out_of_nodes_is_a_result() {
    for (reordering, memory, max_nodes) in
        [(Reordering::Off, 1 << 20, None), (Reordering::Auto, 1 << 20, None), (Reordering::Auto, 1 << 30, Some(20_000))]
    {
        let m = Manager::new(&Config { memory, max_nodes, reordering, ..Config::new(200) });
        let random = &mut Random(7);
        let mut functions = Vec::new();
        // Random sums of products have no good order.
        let stopped = (0..500).find_map(|_| {
            let mut f = m.constant(false);
            for _ in 0..40 {
                let mut product = m.constant(true);
                for _ in 0..5 {
                    let var = m.var(2 * random.below(100) as Var).ok()?;
                    product = m.and(&product, &var).ok()?;
                }
                match m.xor(&f, &product) {
                    Ok(g) => f = g,
                    Err(limit) => return Some(limit),
                }
            }
            functions.push(f);
            None
        });
        assert_eq!(stopped, Some(Limit::Nodes));
        assert!(functions.iter().all(|f| !f.eval(&|_| false)));
        functions.clear();
        m.set_reordering(Reordering::Off);
        let xy = m.and(&m.var(0).unwrap(), &m.var(2).unwrap()).unwrap();
        assert_eq!(xy.sat_count(200).approximate, 2_f64.powi(198));
    }
}

/// The middle bits of a product: exponential in any order.
fn hard_work(m: &Manager) -> Result<Bdd, Limit> {
    let n = 40;
    let mut sum: Vec<Bdd> = vec![m.constant(false); 2 * n];
    for i in 0..n {
        let x = m.var(2 * i as Var)?;
        let mut carry = m.constant(false);
        for j in 0..n {
            let product = m.and(&x, &m.var(2 * (n + j) as Var)?)?;
            let half = m.xor(&sum[i + j], &product)?;
            let digit = m.xor(&half, &carry)?;
            carry = m.or(&m.and(&sum[i + j], &product)?, &m.and(&half, &carry)?)?;
            sum[i + j] = digit;
        }
        sum[i + n] = carry;
    }
    Ok(sum[n].clone())
}

#[test]
fn a_deadline_stops_in_the_middle_of_an_operation() {
    let m = manager(160, Reordering::Off);
    let deadline = Some(Instant::now() + Duration::from_millis(100));
    let limited = m.enter(&Limits { deadline, ..Limits::default() });
    assert_eq!(hard_work(&m), Err(Limit::Time));
    drop(limited);
    assert!(m.var(0).is_ok());
}

#[test]
fn steps_can_be_limited() {
    let m = manager(160, Reordering::Off);
    let limited = m.enter(&Limits { steps: Some(100_000), ..Limits::default() });
    // An inner scope never allows more.
    let inner = m.enter(&Limits { steps: Some(1_000_000), ..Limits::default() });
    assert_eq!(hard_work(&m), Err(Limit::Steps));
    let taken = m.statistics().steps;
    assert!((100_000..110_000).contains(&taken), "{taken}");
    drop(inner);
    assert_eq!(m.var(0), Err(Limit::Steps));
    drop(limited);
    assert!(m.and(&m.var(0).unwrap(), &m.var(2).unwrap()).is_ok());
}

#[test]
fn an_interrupt_stops_until_the_flag_is_cleared() {
    let m = manager(160, Reordering::Auto);
    let flag = Arc::new(AtomicBool::new(false));
    let _limited = m.enter(&Limits { interrupt: Some(Arc::clone(&flag)), ..Limits::default() });
    let raiser = std::thread::spawn({
        let flag = Arc::clone(&flag);
        move || {
            std::thread::sleep(Duration::from_millis(50));
            flag.store(true, Ordering::Relaxed);
        }
    });
    assert_eq!(hard_work(&m), Err(Limit::Interrupted));
    raiser.join().unwrap();
    assert_eq!(m.var(0), Err(Limit::Interrupted));
    flag.store(false, Ordering::Relaxed);
    assert!(m.var(0).is_ok());
}

#[test]
fn the_same_work_gives_the_same_order_sizes_and_steps() {
    let run = || {
        let m = manager(4 * 20, Reordering::Auto);
        let f = matching(&m, 20);
        let statistics = m.statistics();
        (m.order(), f.node_count(), statistics.steps, statistics.reorderings, statistics.collections)
    };
    assert_eq!(run(), run());
}

#[test]
fn counting_is_exact_up_to_127_variables_and_finite_far_beyond() {
    let m = manager(4000, Reordering::Off);
    let f = m.and(&m.var(0).unwrap(), &m.not(&m.var(126).unwrap())).unwrap();
    assert_eq!(f.sat_count(127).exact, Some(1 << 125));
    assert_eq!(f.sat_count(128).exact, None);
    assert_eq!(f.sat_count(1000).approximate, 2_f64.powi(998));
    assert_eq!(m.constant(true).sat_count(1023).approximate, 2_f64.powi(1023));
    assert!(f.sat_count(4000).approximate.is_infinite());
    assert_eq!(f.sat_count(4000).to_string(), "about 3.296e1203", "2^3998");
    assert_eq!(m.constant(false).sat_count(4000).approximate, 0.0);
}

#[test]
fn a_minterm_is_the_conjunction_of_its_literals() {
    let mut random = Random(7);
    for _ in 0..50 {
        let manager = manager(N_VARS, Reordering::Off);
        let pairs: Vec<Var> = random.shuffled((0..N_VARS / 2).map(|pair| 2 * pair).collect());
        manager.set_order(&pairs).unwrap();
        let vars = random.shuffled((0..N_VARS).collect());
        let values: Vec<(Var, bool)> =
            vars.into_iter().take(random.below(9)).map(|var| (var, random.below(2) == 1)).collect();
        let point = manager.minterm(&values).unwrap();
        assert_eq!(
            table_of(&point),
            Table::of(|row| values.iter().all(|(var, value)| (row >> var & 1 == 1) == *value))
        );
    }
}

#[test]
fn successors_are_the_renamed_relational_product() {
    for seed in 1..200 {
        let random = &mut Random(seed * 31);
        let m = manager(N_VARS, if seed % 2 == 0 { Reordering::Off } else { Reordering::Always });
        let mut function = |of: &dyn Fn(Var) -> bool| {
            let vars: Vec<Var> = (0..N_VARS).filter(|var| of(*var)).collect();
            let mut pool: Vec<Bdd> = vars.iter().map(|var| m.var(*var).unwrap()).collect();
            pool.push(m.constant(true));
            for _ in 0..12 {
                let (f, g) = (pool[random.below(pool.len())].clone(), pool[random.below(pool.len())].clone());
                pool.push(if random.below(2) == 0 { m.and(&f, &m.not(&g)) } else { m.xor(&f, &g) }.unwrap());
            }
            pool.swap_remove(pool.len() - 1)
        };
        // The pair 4 is an input, the pair 6 is left alone by the relation, and the others are changed.
        let states = function(&|var| var % 2 == 0 && var != 4);
        let relation = function(&|var| var != 5 && var != 7);
        let cube = m.cube(&[0, 2, 4]).unwrap();
        let expected = m.next_as_current(&m.and_exists(&states, &relation, &cube).unwrap()).unwrap();
        assert!(m.successors(&states, &relation, &cube).unwrap() == expected, "seed {seed}");
    }
}

/// A node that died leaves its number to the next one. What was computed of the one does not count for the other, whichever
/// operand it was.
#[test]
fn results_are_forgotten_with_each_of_their_operands() {
    /// What is done with a function, and what comes out by its value and the row.
    type Operation<'a> = (&'a dyn Fn(&Bdd) -> Bdd, &'a dyn Fn(bool, usize) -> bool);
    let m = manager(N_VARS, Reordering::Off);
    let vars: Vec<Bdd> = (0..N_VARS).map(|var| m.var(var).unwrap()).collect();
    let bit = |row: usize, var: Var| row >> var & 1 == 1;
    let both = m.and(&vars[2], &vars[6]).unwrap();
    let operations: [Operation<'_>; 5] = [
        (&|f| m.and(&both, f).unwrap(), &|f, row| f && bit(row, 2) && bit(row, 6)),
        (&|f| m.xor(f, &vars[6]).unwrap(), &|f, row| f != bit(row, 6)),
        (&|f| m.ite(f, &vars[6], &vars[7]).unwrap(), &|f, row| if f { bit(row, 6) } else { bit(row, 7) }),
        (&|f| m.ite(&vars[1], f, &vars[6]).unwrap(), &|f, row| if bit(row, 1) { f } else { bit(row, 6) }),
        (&|f| m.ite(&vars[2], &vars[6], f).unwrap(), &|f, row| if bit(row, 2) { bit(row, 6) } else { f }),
    ];
    let mut kept = Vec::new();
    for (number, (operation, expected)) in operations.iter().enumerate() {
        for other in [3, 4, 5, 3] {
            let f = m.or(&vars[2], &vars[other as usize]).unwrap();
            let result = operation(&f);
            let table = Table::of(|row| expected(bit(row, 2) || bit(row, other), row));
            assert_eq!(table_of(&result), table, "operation {number}, variable {other}");
            kept.push(result);
            drop(f);
            m.collect_garbage();
        }
    }
    let (f, g) = (m.xor(&vars[2], &vars[6]).unwrap(), m.or(&vars[3], &vars[4]).unwrap());
    for other in [3, 4, 5, 3] {
        let cube = m.cube(&[2, other]).unwrap();
        let result = m.and_exists(&f, &g, &cube).unwrap();
        let table = Table::of(|row| bit(row, 2) != bit(row, 6) && (bit(row, 3) || bit(row, 4))).exists(&[2, other]);
        assert_eq!(table_of(&result), table, "cube with variable {other}");
        kept.push(result);
        drop(cube);
        m.collect_garbage();
    }
}

#[test]
fn groups_stay_together_and_change_no_function() {
    for seed in 1..40 {
        let random = &mut Random(seed * 77);
        let m = manager(12, Reordering::Off);
        let mut pool: Vec<Bdd> = (0..12).map(|var| m.var(var).unwrap()).collect();
        for _ in 0..30 {
            let mut pick = || pool[random.below(pool.len())].clone();
            let (f, g) = (pick(), pick());
            pool.push(if random.below(2) == 0 { m.and(&f, &m.not(&g)) } else { m.xor(&f, &g) }.unwrap());
        }
        let value = |row: usize| move |var: Var| row >> var & 1 == 1;
        let before: Vec<Vec<bool>> =
            pool.iter().map(|f| (0..1 << 12).map(|row| f.eval(&value(row))).collect()).collect();
        let vars = [0, 1, 2].map(|_| random.below(12) as Var);
        m.group(&vars).unwrap();
        let joined = random.below(12) as Var;
        if seed % 2 == 0 {
            m.group(&[joined, vars[0]]).unwrap();
        }
        m.reorder();
        m.reorder();
        let order: Vec<Var> = m.order().into_iter().step_by(2).map(|var| var / 2).collect();
        let mut members = vars.map(|var| var / 2).to_vec();
        if seed % 2 == 0 {
            members.push(joined / 2);
        }
        let places: Vec<usize> = (0..6).filter(|&place| members.contains(&order[place])).collect();
        assert!(places.windows(2).all(|pair| pair[1] == pair[0] + 1), "{order:?} tears {members:?} apart");
        for (f, before) in pool.iter().zip(&before) {
            assert!((0..1 << 12).all(|row| f.eval(&value(row)) == before[row]));
        }
        let added = m.add_pair_below(vars[0]);
        let order = m.order();
        let place = order.iter().position(|&var| var == added).unwrap();
        assert!(members.contains(&(order[place - 1] / 2)), "a new pair lies below the whole group");
        assert!(order.get(place + 2).is_none_or(|below| !members.contains(&(below / 2))));
    }
}

#[test]
#[should_panic(expected = "tears a group apart")]
fn an_order_must_keep_groups_together() {
    let m = manager(6, Reordering::Off);
    m.group(&[0, 2]).unwrap();
    let _ = m.set_order(&[0, 4, 2]);
}

#[test]
fn handles_of_different_managers_are_never_equal() {
    let (m, other) = (manager(4, Reordering::Off), manager(4, Reordering::Off));
    assert_ne!(m.var(0).unwrap(), other.var(0).unwrap());
    assert_eq!(m.var(0).unwrap(), m.var(0).unwrap());
}

#[test]
#[should_panic(expected = "a function of another manager")]
fn operations_refuse_handles_of_another_manager() {
    let (m, other) = (manager(4, Reordering::Off), manager(4, Reordering::Off));
    let _ = m.and(&m.var(0).unwrap(), &other.var(0).unwrap());
}

#[test]
fn a_graph_shows_shared_nodes_once_and_negations_as_dots() {
    let m = manager(4, Reordering::Off);
    let (x, y) = (m.var(0).unwrap(), m.var(2).unwrap());
    let xor = m.xor(&x, &y).unwrap();
    let name = |var| format!("v\"{var}");
    let dot = m.to_dot(&[("f", &xor), ("g", &m.not(&xor))], &name);
    let expected = r#"digraph {
  one [shape=box, label="1"];
  f0 [shape=plaintext, label="f"];
  f0 -> n0 [style=solid, arrowhead=dot];
  f1 [shape=plaintext, label="g"];
  f1 -> n0 [style=solid];
  { rank=same; node [label="v\"0"]; n0; }
  n0 -> n1 [style=solid];
  n0 -> n1 [style=dashed, arrowhead=dot];
  { rank=same; node [label="v\"2"]; n1; }
  n1 -> one [style=solid];
  n1 -> one [style=dashed, arrowhead=dot];
}
"#;
    assert_eq!(dot, expected);
}

#[test]
fn thousands_of_variables_need_no_quadratic_table() {
    let m = manager(1 << 18, Reordering::Off);
    let f = m.and(&m.var(0).unwrap(), &m.var((1 << 18) - 2).unwrap()).unwrap();
    m.reorder();
    assert_eq!(f.support(), [0, (1 << 18) - 2]);
}

#[test]
fn an_image_revives_as_the_same_functions() {
    let m = manager(N_VARS, Reordering::Off);
    let random = &mut Random(11);
    let mut functions = vec![m.constant(true), m.constant(false)];
    for _ in 0..30 {
        let (f, g) = (&functions[random.below(functions.len())], &functions[random.below(functions.len())]);
        let var = m.var(random.below(N_VARS as usize) as Var).unwrap();
        functions.push(m.xor(&m.ite(&var, f, &m.not(g)).unwrap(), g).unwrap());
    }
    m.set_order(&[4, 0, 6, 2]).unwrap();
    let image = m.image(&functions.iter().collect::<Vec<_>>());
    assert_eq!(image.order, [4, 0, 6, 2]);
    // In its own manager the functions are there already, and in any other order they are the same.
    assert_eq!(m.revive(&image).unwrap(), functions);
    for order in [vec![4, 0, 6, 2], vec![0, 2, 4, 6]] {
        let other = Manager::new(&Config { order: Some(order), ..Config::new(N_VARS) });
        for (f, g) in functions.iter().zip(other.revive(&image).unwrap()) {
            for row in 0..1_u32 << N_VARS {
                assert_eq!(f.eval(&|var| row >> var & 1 == 1), g.eval(&|var| row >> var & 1 == 1));
            }
        }
    }
}
