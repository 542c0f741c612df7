//! Variables by their activity: the most active one first, and of equally active ones the one that was made first.

/// A binary heap of variables. Activities are those of the solver.
#[derive(Clone, Debug, Default)]
pub(super) struct Heap {
    vars: Vec<u32>,
    /// For each variable its place in the heap.
    places: Vec<Option<u32>>,
}

fn is_before(activity: &[f64], a: u32, b: u32) -> bool {
    activity[b as usize].total_cmp(&activity[a as usize]).then(a.cmp(&b)).is_lt()
}

impl Heap {
    /// Makes room for one more variable.
    pub(super) fn grow(&mut self) {
        self.places.push(None);
    }

    /// Holds exactly these variables.
    pub(super) fn fill(&mut self, vars: impl Iterator<Item = u32>, activity: &[f64]) {
        for var in self.vars.drain(..) {
            self.places[var as usize] = None;
        }
        for var in vars {
            if self.places[var as usize].is_none() {
                self.places[var as usize] = Some(self.vars.len() as u32);
                self.vars.push(var);
            }
        }
        for place in (0..self.vars.len() / 2).rev() {
            self.down(place, activity);
        }
    }

    pub(super) fn insert(&mut self, var: u32, activity: &[f64]) {
        if self.places[var as usize].is_none() {
            self.places[var as usize] = Some(self.vars.len() as u32);
            self.vars.push(var);
            self.up(self.vars.len() - 1, activity);
        }
    }

    /// Takes note that a variable has become more active.
    pub(super) fn raise(&mut self, var: u32, activity: &[f64]) {
        if let Some(place) = self.places[var as usize] {
            self.up(place as usize, activity);
        }
    }

    pub(super) fn pop(&mut self, activity: &[f64]) -> Option<u32> {
        let first = *self.vars.first()?;
        let last = self.vars.pop()?;
        self.places[first as usize] = None;
        if first != last {
            self.vars[0] = last;
            self.places[last as usize] = Some(0);
            self.down(0, activity);
        }
        Some(first)
    }

    fn up(&mut self, mut place: usize, activity: &[f64]) {
        let var = self.vars[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            if !is_before(activity, var, self.vars[parent]) {
                break;
            }
            self.put(place, self.vars[parent]);
            place = parent;
        }
        self.put(place, var);
    }

    fn down(&mut self, mut place: usize, activity: &[f64]) {
        let var = self.vars[place];
        loop {
            let mut child = 2 * place + 1;
            if child >= self.vars.len() {
                break;
            }
            if child + 1 < self.vars.len() && is_before(activity, self.vars[child + 1], self.vars[child]) {
                child += 1;
            }
            if !is_before(activity, self.vars[child], var) {
                break;
            }
            self.put(place, self.vars[child]);
            place = child;
        }
        self.put(place, var);
    }

    fn put(&mut self, place: usize, var: u32) {
        self.vars[place] = var;
        self.places[var as usize] = Some(place as u32);
    }
}
