//! Exchange of two adjacent variables, or of two groups of them, without changing any function.
//!
//! Reordering visits every node many times in an irregular order, so it works on a copy that is dense and sorted by
//! level and therefore cache-friendly. In the copy nodes are rewritten in place, so edges from above stay valid. At the
//! end the copy is written back; a node that still exists keeps its index, because handles refer to it.

use crate::Var;
use crate::interaction::Interaction;
use crate::store::{Edge, Node, Store};
use crate::table::{Chained, Table};

/// The variable of a free node of the copy.
const FREE: Var = Var::MAX;

/// A node of the copy; its variable and its reference count are in separate arrays.
#[derive(Clone, Copy)]
struct Copied {
    hi: Edge,
    lo: Edge,
    next: u32,
}

impl Chained for Copied {
    #[inline]
    fn branches(&self) -> (Edge, Edge) {
        (self.hi, self.lo)
    }

    #[inline]
    fn next(&self) -> u32 {
        self.next
    }

    #[inline]
    fn set_next(&mut self, next: u32) {
        self.next = next;
    }
}

/// The unit of movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// A pair, regardless of its group: for explicit orders.
    Pair,
    /// A group of pairs.
    Group,
}

/// A unit in the order.
#[derive(Clone, Copy)]
struct Block {
    /// The least pair in it, which is its name.
    name: usize,
    top: usize,
    n_levels: usize,
}

/// The order during reordering.
pub(crate) struct Swapper<'a> {
    store: &'a mut Store,
    interaction: Interaction,
    /// The units from top to bottom.
    blocks: Vec<Block>,
    /// For each name of a unit, its index in `blocks`.
    places: Vec<usize>,
    nodes: Vec<Copied>,
    /// The variable of each node, kept separately, because most accesses to a child need nothing else.
    vars: Vec<Var>,
    /// Number of parents of each node; a root has one more.
    n_refs: Vec<u32>,
    /// The index in the store, or 0 for a new node.
    origins: Vec<u32>,
    tables: Vec<Table>,
    free: Vec<u32>,
    /// Indices in the store that are no longer needed.
    gone: Vec<u32>,
    /// The nodes to rewrite; a reused buffer.
    dependent: Vec<u32>,
    /// Number of visited nodes: a measure of work that does not depend on the machine.
    work: u64,
}

impl<'a> Swapper<'a> {
    /// Copies a store in which `roots` reach all nodes.
    pub(crate) fn new(store: &'a mut Store, roots: &[u32], unit: Unit) -> Self {
        let n_nodes = store.len() + 1;
        let mut nodes = Vec::with_capacity(n_nodes);
        let mut vars = Vec::with_capacity(n_nodes);
        let mut origins = Vec::with_capacity(n_nodes);
        let mut n_refs = vec![0; n_nodes];
        let mut tables: Vec<_> = store.tables.iter().map(|table| Table::with_room_for(table.len)).collect();
        let mut numbers = vec![0_u32; store.nodes.len()];
        nodes.push(Copied { hi: Edge::TRUE, lo: Edge::TRUE, next: 0 });
        vars.push(store.n_vars());
        origins.push(0);
        // From the bottom up: children come before their parents.
        for &var in store.var_at.iter().rev() {
            let table = &mut tables[var as usize];
            store.tables[var as usize].for_each(&store.nodes, |id| {
                let node = &store.nodes[id as usize];
                let [hi, lo] = [node.hi, node.lo].map(|e| Edge::to(numbers[e.node()]).signed_as(e));
                let number = nodes.len() as u32;
                numbers[id as usize] = number;
                n_refs[hi.node()] += 1;
                n_refs[lo.node()] += 1;
                nodes.push(Copied { hi, lo, next: 0 });
                table.insert(&mut nodes, number);
                vars.push(var);
                origins.push(id);
            });
        }
        let roots: Vec<_> = roots.iter().map(|&root| numbers[root as usize]).collect();
        for &root in &roots {
            n_refs[root as usize] += 1;
        }
        let children = nodes.iter().map(|node| [node.hi.node(), node.lo.node()]);
        let name_of = |var: Var| match unit {
            Unit::Pair => var as usize / 2,
            Unit::Group => store.group_of[var as usize / 2] as usize,
        };
        let n_pairs = store.var_at.len() / 2;
        let names = vars[1..].iter().map(|&var| name_of(var));
        let interaction = Interaction::of(n_pairs, names, children, &roots);
        let mut blocks: Vec<Block> = Vec::with_capacity(n_pairs);
        for top in (0..2 * n_pairs).step_by(2) {
            let name = name_of(store.var_at[top]);
            match blocks.last_mut() {
                Some(block) if block.name == name => block.n_levels += 2,
                _ => blocks.push(Block { name, top, n_levels: 2 }),
            }
        }
        let mut places = vec![0; n_pairs];
        for (place, block) in blocks.iter().enumerate() {
            places[block.name] = place;
        }
        let (free, gone, dependent) = (Vec::new(), Vec::new(), Vec::new());
        Swapper {
            store,
            interaction,
            blocks,
            places,
            nodes,
            vars,
            n_refs,
            origins,
            tables,
            free,
            gone,
            dependent,
            work: 0,
        }
    }

    /// Ends the reordering: writes the nodes back, and drops cached operations on removed nodes.
    pub(crate) fn finish(self) {
        let Swapper { store, nodes, vars, mut origins, tables, gone, .. } = self;
        let mut forgotten = vec![0_u64; store.nodes.len().div_ceil(64)];
        for &id in &gone {
            forgotten[id as usize / 64] |= 1 << (id % 64);
            store.release(id);
        }
        store.cache.retain(|e| forgotten[e.node() / 64] >> (e.node() % 64) & 1 == 0);
        let alive = || (1..nodes.len()).filter(|&number| vars[number] != FREE);
        for number in alive() {
            if origins[number] == 0 {
                let unused = Node { hi: Edge::TRUE, lo: Edge::TRUE, next: 0, var: FREE };
                origins[number] = store.allocate(unused).expect("room for the new nodes was asked for");
            }
        }
        for (table, copy) in store.tables.iter_mut().zip(&tables) {
            *table = Table::with_room_for(copy.len);
        }
        for number in alive() {
            let Copied { hi, lo, .. } = nodes[number];
            let [hi, lo] = [hi, lo].map(|e| Edge::to(origins[e.node()]).signed_as(e));
            store.put(origins[number], Node { hi, lo, next: 0, var: vars[number] });
        }
    }

    pub(crate) fn store(&mut self) -> &mut Store {
        self.store
    }

    /// The number of units.
    pub(crate) fn n_units(&self) -> usize {
        self.blocks.len()
    }

    /// Number of visited nodes so far.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// The number of nodes of the whole diagram.
    pub(crate) fn total(&self) -> usize {
        self.nodes.len() - 1 - self.free.len()
    }

    /// The number of nodes of the unit at `place`.
    pub(crate) fn size(&self, place: usize) -> usize {
        let Block { top, n_levels, .. } = self.blocks[place];
        self.store.var_at[top..top + n_levels].iter().map(|&var| self.tables[var as usize].len).sum()
    }

    /// The name of the unit at `place`: the least of its pairs, a pair being half its current variable.
    pub(crate) fn unit_at(&self, place: usize) -> usize {
        self.blocks[place].name
    }

    pub(crate) fn place_of(&self, unit: usize) -> usize {
        self.places[unit]
    }

    pub(crate) fn interact(&self, a: usize, b: usize) -> bool {
        self.interaction.test(a, b)
    }

    /// Exchanges the unit at `place` with the one below; `false`, without any change, if the node limit might be
    /// reached.
    pub(crate) fn exchange(&mut self, place: usize) -> bool {
        let (upper, lower) = (self.blocks[place], self.blocks[place + 1]);
        let interact = self.interact(upper.name, lower.name);
        // A swap makes at most two nodes for each node of the upper level. A variable of the upper unit is swapped with
        // each level of the lower one: at most 2 + 4 + 8 + … new nodes for each of its nodes.
        let growth = 2_usize.checked_pow(lower.n_levels as u32 + 1).map_or(usize::MAX, |power| power - 2);
        let needed = self.size(place).saturating_mul(growth).saturating_add(self.total());
        if interact && needed > self.store.capacity() {
            return false;
        }
        for moved in 0..lower.n_levels {
            for above in (0..upper.n_levels).rev() {
                self.swap(upper.top + moved + above, interact);
            }
        }
        self.blocks[place] = Block { top: upper.top, ..lower };
        self.blocks[place + 1] = Block { top: upper.top + lower.n_levels, ..upper };
        self.places[lower.name] = place;
        self.places[upper.name] = place + 1;
        true
    }

    /// Exchanges the variable at a level with the one below.
    fn swap(&mut self, level: usize, interact: bool) {
        let (x, y) = (self.store.var_at[level], self.store.var_at[level + 1]);
        self.store.var_at.swap(level, level + 1);
        self.store.level_of.swap(x as usize, y as usize);
        if !interact {
            return;
        }
        self.work += self.tables[x as usize].len() as u64;
        let mut dependent = std::mem::take(&mut self.dependent);
        self.take_dependent(x, y, &mut dependent);
        self.work += 2 * dependent.len() as u64;
        for number in dependent.drain(..) {
            self.rewrite(number, x, y);
        }
        self.dependent = dependent;
        let table = &mut self.tables[x as usize];
        if table.is_sparse() {
            table.fit(&mut self.nodes);
        }
    }

    /// Removes the nodes of `x` that have a child of `y` from their table.
    fn take_dependent(&mut self, x: Var, y: Var, dependent: &mut Vec<u32>) {
        let vars = &self.vars;
        self.tables[x as usize].retain(&mut self.nodes, |nodes, number| {
            let Copied { hi, lo, .. } = nodes[number as usize];
            let depends = vars[hi.node()] == y || vars[lo.node()] == y;
            if depends {
                dependent.push(number);
            }
            !depends
        });
    }

    /// Turns a node of `x` into one of `y`: `x ? (y ? a : b) : (y ? c : d)` is `y ? (x ? a : c) : (x ? b : d)`.
    #[expect(clippy::many_single_char_names, reason = "the letters of the equation")]
    fn rewrite(&mut self, number: u32, x: Var, y: Var) {
        let Copied { hi, lo, .. } = self.nodes[number as usize];
        let quarters = |e: Edge| {
            if self.vars[e.node()] == y {
                let node = &self.nodes[e.node()];
                (node.hi.signed_as(e), node.lo.signed_as(e))
            } else {
                (e, e)
            }
        };
        let ((a, b), (c, d)) = (quarters(hi), quarters(lo));
        let new_hi = self.make(x, a, c);
        let new_lo = self.make(x, b, d);
        debug_assert!(!new_hi.is_complemented(), "the true branch of a true branch is regular");
        self.n_refs[new_hi.node()] += 1;
        self.n_refs[new_lo.node()] += 1;
        self.drop_ref(hi, y);
        self.drop_ref(lo, y);
        self.nodes[number as usize] = Copied { hi: new_hi, lo: new_lo, next: 0 };
        self.vars[number as usize] = y;
        self.tables[y as usize].insert(&mut self.nodes, number);
    }

    /// The function `x ? hi : lo`.
    fn make(&mut self, x: Var, hi: Edge, lo: Edge) -> Edge {
        if hi == lo {
            return hi;
        }
        let (sign, hi, lo) = (hi, hi.regular(), lo.signed_as(hi));
        if let Some(number) = self.tables[x as usize].find(&self.nodes, hi, lo) {
            return Edge::to(number).signed_as(sign);
        }
        self.n_refs[hi.node()] += 1;
        self.n_refs[lo.node()] += 1;
        let node = Copied { hi, lo, next: 0 };
        let number = if let Some(number) = self.free.pop() {
            self.nodes[number as usize] = node;
            self.vars[number as usize] = x;
            number
        } else {
            self.nodes.push(node);
            self.vars.push(x);
            self.n_refs.push(0);
            self.origins.push(0);
            self.nodes.len() as u32 - 1
        };
        self.tables[x as usize].insert(&mut self.nodes, number);
        Edge::to(number).signed_as(sign)
    }

    /// Decrements the reference count of a child of a rewritten node. A node of `y` without references becomes free;
    /// its own children are referenced by the new nodes, and need no update.
    fn drop_ref(&mut self, e: Edge, y: Var) {
        let number = e.node();
        self.n_refs[number] -= 1;
        if self.n_refs[number] > 0 || self.vars[number] != y {
            return;
        }
        let Copied { hi, lo, .. } = self.nodes[number];
        self.n_refs[hi.node()] -= 1;
        self.n_refs[lo.node()] -= 1;
        self.tables[y as usize].remove(&mut self.nodes, number as u32);
        self.vars[number] = FREE;
        self.free.push(number as u32);
        let origin = std::mem::replace(&mut self.origins[number], 0);
        if origin != 0 {
            self.gone.push(origin);
        }
    }
}
