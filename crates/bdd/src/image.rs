//! Functions as plain data, for another thread: a manager and its handles stay on theirs.

use rustc_hash::FxHashMap;

use crate::store::Edge;
use crate::{Bdd, Limit, Manager, Var};

/// Functions of a manager and the order of its variables, as plain data. [`Manager::revive`] makes functions of them again.
#[derive(Clone, Debug)]
pub struct Image {
    /// The pairs from top to bottom, each named by its current variable.
    pub order: Vec<Var>,
    /// The nodes, parts before wholes: a variable and its two branches. A branch is twice the number of its node, counted
    /// from one, plus one if it is negated; number zero is the constant true.
    nodes: Vec<(Var, u32, u32)>,
    functions: Vec<u32>,
}

impl Manager {
    /// The image of some functions.
    ///
    /// ```
    /// use specwright_bdd::{Config, Limit, Manager};
    ///
    /// # fn main() -> Result<(), Limit> {
    /// let manager = Manager::new(&Config::new(4));
    /// let f = manager.xor(&manager.var(0)?, &manager.var(2)?)?;
    /// let image = manager.image(&[&f]);
    /// let n_solutions = std::thread::spawn(move || {
    ///     let other = Manager::new(&Config { order: Some(image.order.clone()), ..Config::new(4) });
    ///     other.revive(&image).map(|functions| functions[0].sat_count(4).approximate)
    /// });
    /// assert_eq!(n_solutions.join().unwrap()?, 8.0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn image(&self, functions: &[&Bdd]) -> Image {
        let roots: Vec<Edge> = functions.iter().map(|f| self.edge(f)).collect();
        let store = self.store();
        let mut numbers: FxHashMap<usize, u32> = FxHashMap::default();
        numbers.insert(Edge::TRUE.node(), 0);
        let number =
            |numbers: &FxHashMap<usize, u32>, e: Edge| numbers[&e.node()] << 1 | u32::from(e.is_complemented());
        let mut nodes = Vec::new();
        let mut open = roots.clone();
        while let Some(&e) = open.last() {
            let node = store.node(e);
            let parts = [node.lo, node.hi];
            let missing = |part: &Edge| !numbers.contains_key(&part.node());
            if !missing(&e) {
                open.pop();
            } else if parts.iter().any(missing) {
                open.extend(parts.into_iter().filter(missing));
            } else {
                nodes.push((node.var, number(&numbers, node.hi), number(&numbers, node.lo)));
                numbers.insert(e.node(), u32::try_from(nodes.len()).expect("numbers of nodes have 28 bits"));
                open.pop();
            }
        }
        let order = store.var_at.iter().copied().filter(|var| var % 2 == 0).collect();
        Image { order, nodes, functions: roots.into_iter().map(|root| number(&numbers, root)).collect() }
    }

    /// The functions of an image, in their order. It takes few steps if the variables are in the order of the image.
    ///
    /// # Panics
    /// If the manager lacks a variable of the functions.
    pub fn revive(&self, image: &Image) -> Result<Vec<Bdd>, Limit> {
        let mut made = vec![self.constant(true)];
        let function = |made: &[Bdd], number: u32| {
            let node = &made[(number >> 1) as usize];
            if number & 1 == 1 { self.not(node) } else { node.clone() }
        };
        for &(var, hi, lo) in &image.nodes {
            let node = self.ite(&self.var(var)?, &function(&made, hi), &function(&made, lo))?;
            made.push(node);
        }
        Ok(image.functions.iter().map(|&number| function(&made, number)).collect())
    }
}
