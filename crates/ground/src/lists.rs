//! Many short lists in two arrays.

/// Lists of numbers, one after the other.
pub(crate) struct Lists {
    /// Where each list begins, and one end more.
    first: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// The items of each of `n_lists`, which come with their list, each time in the same order.
    pub(crate) fn new<I: Iterator<Item = (usize, u32)>>(
        n_lists: usize,
        items_of_lists: impl Fn() -> I,
    ) -> Lists {
        // Each list is counted two places further on, so that its beginning can move to its end while it is filled.
        let mut first = vec![0u32; n_lists + 2];
        items_of_lists().for_each(|(list, _)| first[list + 2] += 1);
        let mut n_items = 0;
        for n_before in &mut first {
            n_items += *n_before;
            *n_before = n_items;
        }
        let mut items = vec![0u32; n_items as usize];
        items_of_lists().for_each(|(list, item)| {
            let place = &mut first[list + 1];
            items[*place as usize] = item;
            *place += 1;
        });
        first.truncate(n_lists + 1);
        Lists { first, items }
    }

    /// How long each list is.
    pub(crate) fn lens(&self) -> impl Iterator<Item = u32> {
        self.first.iter().zip(&self.first[1..]).map(|(first, end)| end - first)
    }

    #[inline]
    pub(crate) fn of(&self, list: usize) -> &[u32] {
        &self.items[self.first[list] as usize..self.first[list + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stay_in_order() {
        let lists = Lists::new(4, || [(2, 7), (0, 1), (2, 5), (3, 9), (2, 6)].into_iter());
        let all: Vec<&[u32]> = (0..4).map(|list| lists.of(list)).collect();
        assert_eq!(all, [&[1][..], &[], &[7, 5, 6], &[9]]);
    }
}
