//! Sets of variables.

/// A set of variables of one rule.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct VarSet {
    // Almost every rule has less than 64 variables.
    low: u64,
    high: Option<Box<[u64]>>,
}

impl VarSet {
    #[inline]
    fn high(&self) -> &[u64] {
        self.high.as_deref().unwrap_or_default()
    }

    /// The words after the first, at least so many.
    #[cold]
    fn high_mut(&mut self, least: usize) -> &mut [u64] {
        let mut words = self.high.take().unwrap_or_default().into_vec();
        if words.len() < least {
            words.resize(least, 0);
        }
        self.high.insert(words.into_boxed_slice())
    }

    /// Inserts a variable.
    #[inline]
    pub fn insert(&mut self, var: u32) {
        if var < 64 {
            self.low |= 1 << var;
            return;
        }
        let word = (var / 64 - 1) as usize;
        self.high_mut(word + 1)[word] |= 1 << (var % 64);
    }

    /// Inserts a variable; says whether it is new.
    #[inline]
    pub fn add(&mut self, var: u32) -> bool {
        let is_new = !self.contains(var);
        self.insert(var);
        is_new
    }

    /// Whether a variable is in the set.
    #[inline]
    pub fn contains(&self, var: u32) -> bool {
        if var < 64 {
            return self.low >> var & 1 == 1;
        }
        self.word((var / 64) as usize) >> (var % 64) & 1 == 1
    }

    /// Inserts all variables of another set.
    #[inline]
    pub fn extend(&mut self, other: &VarSet) {
        self.low |= other.low;
        if let Some(high) = &other.high {
            self.high_mut(high.len()).iter_mut().zip(high).for_each(|(own, other)| *own |= other);
        }
    }

    /// Removes what another set does not have.
    pub fn intersect(&mut self, other: &VarSet) {
        self.low &= other.low;
        if let Some(high) = &mut self.high {
            high.iter_mut().enumerate().for_each(|(at, word)| *word &= other.word(at + 1));
        }
    }

    /// Whether another set has all of these variables.
    #[inline]
    pub fn is_subset(&self, other: &VarSet) -> bool {
        self.low & !other.low == 0
            && self.high().iter().enumerate().all(|(at, word)| word & !other.word(at + 1) == 0)
    }

    /// Whether another set has one of these variables.
    #[inline]
    pub fn intersects(&self, other: &VarSet) -> bool {
        self.low & other.low != 0
            || self.high().iter().enumerate().any(|(at, word)| word & other.word(at + 1) != 0)
    }

    /// How many variables there are.
    #[inline]
    pub fn len(&self) -> u32 {
        self.low.count_ones() + self.high().iter().map(|word| word.count_ones()).sum::<u32>()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    fn word(&self, at: usize) -> u64 {
        if at == 0 { self.low } else { self.high().get(at - 1).copied().unwrap_or(0) }
    }

    /// How many variables are in `others` too, but not in `without`.
    pub fn count_common(&self, others: &VarSet, without: &VarSet) -> u32 {
        let words = 0..=self.high().len();
        words.map(|at| (self.word(at) & others.word(at) & !without.word(at)).count_ones()).sum()
    }

    /// How many of these variables are not in another set.
    pub fn count_without(&self, without: &VarSet) -> u32 {
        (0..=self.high().len()).map(|at| (self.word(at) & !without.word(at)).count_ones()).sum()
    }

    /// The variables in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let (mut at, mut word) = (0, self.low);
        std::iter::from_fn(move || {
            while word == 0 {
                word = *self.high().get(at)?;
                at += 1;
            }
            let bit = word.trailing_zeros();
            word &= word - 1;
            Some(at as u32 * 64 + bit)
        })
    }
}
