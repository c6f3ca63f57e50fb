//! A hash table of numbers whose contents the owner keeps.
//!
//! One flat array of 64-bit places, each half of a hash above a number: a look touches one line of
//! memory before the row itself. The top of the hash is the place, so a table that doubles is
//! copied from front to back.

/// Half of a hash.
type Half = u32;

const FREE: u64 = 0;
/// The smallest array.
const FEWEST: usize = 8;
/// A smaller array grows faster.
const FEW: usize = 512;

/// A hash table of numbers; the owner knows what each stands for.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// Half of the hash above the number plus one.
    places: Vec<u64>,
    /// How many more numbers there may be before it grows.
    n_free: usize,
    /// How much of half a hash is not used for the place.
    shift: u32,
}

/// Where a number is, or where it would be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The number is here.
    Known(usize),
    /// The number is not in the table, and this place is free.
    Free(usize),
}

impl Numbers {
    /// The number with this hash that `is_it`.
    #[inline]
    pub fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.places.is_empty() {
            return None;
        }
        let half = half(hash);
        let mut at = (half >> self.shift) as usize;
        loop {
            let place = self.places[at];
            if place == FREE {
                return None;
            }
            if (place >> 32) as Half == half && is_it(number(place)) {
                return Some(number(place));
            }
            at = (at + 1) & (self.places.len() - 1);
        }
    }

    /// The place of the number with this hash that `is_it`, or a free place.
    ///
    /// The caller must put a number at a free place.
    #[inline]
    pub fn place(&mut self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Place {
        if self.n_free == 0 {
            self.grow();
        }
        let half = half(hash);
        let mut at = (half >> self.shift) as usize;
        loop {
            let place = self.places[at];
            if place == FREE {
                self.n_free -= 1;
                return Place::Free(at);
            }
            if (place >> 32) as Half == half && is_it(number(place)) {
                return Place::Known(at);
            }
            at = (at + 1) & (self.places.len() - 1);
        }
    }

    /// Brings the place of a hash into the cache; gives the number that is likely there.
    #[inline]
    pub fn approach(&self, hash: u64) -> Option<u32> {
        let half = half(hash);
        let place = *self.places.get((half >> self.shift) as usize)?;
        ((place >> 32) as Half == half && place != FREE).then(|| number(place))
    }

    /// The number at a known place.
    #[inline]
    pub fn at(&self, place: usize) -> u32 {
        number(self.places[place])
    }

    /// Puts a number at a place that was given for this hash.
    #[inline]
    pub fn set(&mut self, place: usize, hash: u64, number: u32) {
        self.places[place] = (u64::from(half(hash)) << 32) | (u64::from(number) + 1);
    }

    #[cold]
    fn grow(&mut self) {
        // To move a few numbers often takes longer than to leave places free.
        let growth = if self.places.len() < FEW { 4 } else { 2 };
        let n_places = (self.places.len() * growth).max(FEWEST);
        let room = |n_places: usize| (n_places * 3).div_ceil(5);
        self.n_free = room(n_places) - room(self.places.len());
        self.shift = Half::BITS - n_places.trailing_zeros();
        let old = std::mem::replace(&mut self.places, vec![FREE; n_places]);
        for place in old.into_iter().filter(|&place| place != FREE) {
            let mut at = (place >> 32 >> self.shift) as usize;
            while self.places[at] != FREE {
                at = (at + 1) & (n_places - 1);
            }
            self.places[at] = place;
        }
    }

    /// Forgets all numbers.
    pub fn clear(&mut self) {
        *self = Numbers::default();
    }

    /// The memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.places.capacity() * 8
    }
}

#[inline]
fn half(hash: u64) -> Half {
    (hash >> 32) as Half
}

#[inline]
fn number(place: u64) -> u32 {
    place as u32 - 1
}

/// Whether two short rows of the same length are equal.
///
/// Comparing them in place takes less time than a call to compare memory.
#[inline]
pub fn are_equal(left: &[u32], right: &[u32]) -> bool {
    left.iter().zip(right).all(|(left, right)| left == right)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Few hashes for many numbers: most places are taken by others.
    #[test]
    fn numbers_with_the_same_hash_are_told_apart() {
        let hash = |value: u32| u64::from(value % 7).wrapping_mul(0x2545_f491_4f6c_dd1d);
        let mut numbers = Numbers::default();
        assert_eq!(numbers.find(hash(3), |_| true), None);
        for value in 0..200 {
            let Place::Free(place) = numbers.place(hash(value), |known| known == value) else {
                panic!("{value} is new")
            };
            numbers.set(place, hash(value), value);
        }
        for value in 0..200 {
            assert_eq!(numbers.find(hash(value), |known| known == value), Some(value));
            assert!(matches!(numbers.place(hash(value), |known| known == value),
                Place::Known(place) if numbers.at(place) == value));
            assert_eq!(numbers.find(hash(value + 200), |known| known == value + 200), None);
        }
    }

    #[test]
    fn places_at_the_end_go_on_at_the_front() {
        let mut numbers = Numbers::default();
        for value in 0..100 {
            let Place::Free(place) = numbers.place(u64::MAX, |known| known == value) else {
                panic!("{value} is new")
            };
            numbers.set(place, u64::MAX, value);
        }
        assert!((0..100).all(|value| numbers.find(u64::MAX, |known| known == value) == Some(value)));
    }
}
