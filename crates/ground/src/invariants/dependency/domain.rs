//! A few values, or any.

/// Arguments with more values than this may have any.
pub(super) const MAX_VALUES: usize = 16;

/// A few terms, or any.
#[derive(Clone, Copy, Debug)]
pub(super) struct Domain {
    is_any: bool,
    n_values: u8,
    values: [u32; MAX_VALUES],
}

impl Domain {
    pub(super) const NONE: Domain = Domain { is_any: false, n_values: 0, values: [0; MAX_VALUES] };
    pub(super) const ANY: Domain = Domain { is_any: true, ..Domain::NONE };

    #[inline]
    pub(super) fn is_any(&self) -> bool {
        self.is_any
    }

    /// The values, unless it may be any.
    #[inline]
    pub(super) fn values(&self) -> Option<&[u32]> {
        (!self.is_any).then(|| &self.values[..self.n_values as usize])
    }

    /// Adds a value. Says whether it is new.
    pub(super) fn add(&mut self, value: u32) -> bool {
        if self.values().is_none_or(|values| values.contains(&value)) {
            return false;
        }
        match self.values.get_mut(self.n_values as usize) {
            Some(place) => {
                *place = value;
                self.n_values += 1;
            }
            None => self.is_any = true,
        }
        true
    }

    pub(super) fn add_all(&mut self, other: &Domain) -> bool {
        match other.values() {
            Some(values) => values.iter().fold(false, |changed, &value| self.add(value) | changed),
            None => !std::mem::replace(&mut self.is_any, true),
        }
    }

    /// Leaves the values that another has as well, in their order; all of the other if it was any.
    pub(super) fn meet(&mut self, other: &Domain) {
        let Some(others) = other.values() else { return };
        if self.is_any {
            *self = *other;
            return;
        }
        let mut n_kept = 0;
        for at in 0..self.n_values as usize {
            let value = self.values[at];
            if others.contains(&value) {
                self.values[n_kept] = value;
                n_kept += 1;
            }
        }
        self.n_values = n_kept as u8;
    }
}
