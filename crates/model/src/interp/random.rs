//! Pseudo-random numbers: a seed gives the same numbers on every machine and in every version.

/// The generator known as splitmix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below a nonzero limit.
    pub fn below(&mut self, limit: u128) -> u128 {
        let wide = u128::from(self.next_u64()) << 64 | u128::from(self.next_u64());
        wide % limit
    }

    /// An index into a nonempty list.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u128) as usize
    }

    /// True with this probability, in percent.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < u128::from(percent)
    }

    /// An element of a nonempty list.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.index(list.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_numbers() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
        assert!((0..1000).all(|_| random.below(7) < 7));
    }
}
