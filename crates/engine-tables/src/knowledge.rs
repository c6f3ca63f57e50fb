//! The knowledge base: for every relation lists of relation ids in the order of their production, and a bit for each id.
//!
//! Ids of all relations are numbered one behind the other; the number of an id is called its place. The ids of a relation
//! are spread over lists by the hypotheses they agree with, so that an input reads just the ids that it can use.

use std::ops::Range;

/// Where ids are written down. The place 0 is of no relation and never set.
#[derive(Clone, Debug)]
pub(crate) struct KnowledgeBase {
    bits: Vec<u64>,
    items: Vec<u32>,
    lists: Vec<List>,
    /// What was done since this was set to 0, where that is counted.
    pub(crate) work: u64,
}

#[derive(Clone, Copy, Debug)]
struct List {
    first: u32,
    len: u32,
}

/// Which list each place belongs to, and which lists live how long; the same for all threads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub(crate) list_of: Vec<u16>,
    pub(crate) sizes: Vec<u32>,
}

impl KnowledgeBase {
    pub(crate) fn new(layout: &Layout) -> KnowledgeBase {
        let mut first = 0;
        let mut lists = Vec::with_capacity(layout.sizes.len());
        for &size in &layout.sizes {
            lists.push(List { first, len: 0 });
            first += size;
        }
        KnowledgeBase {
            bits: vec![0; layout.list_of.len().div_ceil(64)],
            items: vec![0; first as usize],
            lists,
            work: 0,
        }
    }

    /// Whether an id is known.
    #[inline(always)]
    pub(crate) fn exists(&self, place: u32) -> bool {
        self.bits[(place >> 6) as usize] >> (place & 63) & 1 == 1
    }

    /// Writes an id down unless it is known.
    #[inline(always)]
    pub(crate) fn write(&mut self, layout: &Layout, place: u32) {
        let word = &mut self.bits[(place >> 6) as usize];
        let bit = 1 << (place & 63);
        if *word & bit == 0 {
            *word |= bit;
            let List { first, len } = &mut self.lists[layout.list_of[place as usize] as usize];
            self.items[(*first + *len) as usize] = place;
            *len += 1;
        }
    }

    /// Counts work, if that is wanted.
    #[inline(always)]
    pub(crate) fn count<const COUNT: bool>(&mut self, work: u64) {
        if COUNT {
            self.work += work;
        }
    }

    /// How many ids a list has.
    #[inline(always)]
    pub(crate) fn len(&self, list: u32) -> u32 {
        self.lists[list as usize].len
    }

    /// Where ids of a list are written, those that came to it in a window of time.
    #[inline(always)]
    pub(crate) fn places_of(&self, list: u32, window: Range<u32>) -> Range<u32> {
        let first = self.lists[list as usize].first;
        first + window.start..first + window.end
    }

    /// The id that is written there.
    #[inline(always)]
    pub(crate) fn read(&self, at: u32) -> u32 {
        self.items[at as usize]
    }

    /// The n-th id from a place on in the order of places; there are so many.
    #[inline(always)]
    pub(crate) fn nth(&self, first: u32, nth: usize) -> u32 {
        let mut at = (first >> 6) as usize;
        let mut word = self.bits[at] & !0 << (first & 63);
        let mut n_before = nth as u32;
        while word.count_ones() <= n_before {
            n_before -= word.count_ones();
            at += 1;
            word = self.bits[at];
        }
        for _ in 0..n_before {
            word &= word - 1;
        }
        at as u32 * 64 + word.trailing_zeros()
    }

    /// The ids of a list in the order of their production.
    pub(crate) fn items(&self, list: u32) -> &[u32] {
        let List { first, len } = self.lists[list as usize];
        &self.items[first as usize..][..len as usize]
    }

    /// Empties the lists from one on, in time proportional to what they have.
    pub(crate) fn clear_from(&mut self, list: usize) {
        let KnowledgeBase { bits, items, lists, .. } = self;
        let n_items: u32 = lists.iter().map(|list| list.len).sum();
        if list == 0 && bits.len() <= n_items as usize {
            // Every bit goes: fewer words than ids are written.
            bits.fill(0);
            lists.iter_mut().for_each(|list| list.len = 0);
            return;
        }
        for List { first, len } in &mut lists[list..] {
            for &place in &items[*first as usize..][..*len as usize] {
                bits[(place >> 6) as usize] &= !(1 << (place & 63));
            }
            *len = 0;
        }
    }

    /// The memory it takes, in bytes.
    pub(crate) fn bytes(&self, layout: &Layout) -> usize {
        8 * self.bits.len() + 4 * self.items.len() + 8 * self.lists.len() + 2 * layout.list_of.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_in_the_order_of_places() {
        let layout = Layout { list_of: vec![0; 300], sizes: vec![300] };
        let mut base = KnowledgeBase::new(&layout);
        let places = [3, 70, 71, 130, 199, 256, 299];
        places.iter().rev().for_each(|&place| base.write(&layout, place));
        for (first, begin) in [(0, 0), (3, 0), (4, 1), (71, 2), (131, 4)] {
            for (nth, &place) in places[begin..].iter().enumerate() {
                assert_eq!(base.nth(first, nth), place, "number {nth} from {first} on");
            }
        }
    }

    #[test]
    fn ids_come_out_in_the_order_of_their_production() {
        let layout = Layout { list_of: vec![0, 0, 1, 1, 0, 1], sizes: vec![3, 3] };
        let mut base = KnowledgeBase::new(&layout);
        for place in [4, 3, 1, 4, 2, 3] {
            base.write(&layout, place);
        }
        assert_eq!((base.items(0), base.items(1)), (&[4, 1][..], &[3, 2][..]));
        base.clear_from(1);
        assert_eq!((base.items(0), base.items(1)), (&[4, 1][..], &[][..]));
        assert!(base.exists(4) && base.exists(1) && !base.exists(3) && !base.exists(0));
        base.clear_from(0);
        assert!((0..6).all(|place| !base.exists(place)) && base.items(0).is_empty());
        base.write(&layout, 1);
        assert_eq!(base.items(0), [1]);
    }
}
