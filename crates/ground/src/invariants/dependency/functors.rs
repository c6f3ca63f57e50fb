//! Names with a number of arguments, found without hashing.

use senet_ids::Symbol;

const NONE: u32 = u32::MAX;

/// Numbers for names with a number of arguments.
#[derive(Debug)]
pub(super) struct Functors {
    /// The last functor of each name.
    last_of_name: Vec<u32>,
    /// The number of arguments of each functor, and the functor of the same name before it.
    functors: Vec<(usize, u32)>,
}

impl Functors {
    pub(super) fn new(n_symbols: usize) -> Self {
        Self { last_of_name: vec![NONE; n_symbols], functors: Vec::new() }
    }

    /// The number of a functor that was numbered.
    pub(super) fn find(&self, name: Symbol, arity: usize) -> Option<usize> {
        let mut at = self.last_of_name.get(name.index()).copied().unwrap_or(NONE);
        while let Some(&(known, before)) = self.functors.get(at as usize) {
            if known == arity {
                return Some(at as usize);
            }
            at = before;
        }
        None
    }

    /// The number of a functor, the next one if it has none, and whether it is new.
    pub(super) fn number(&mut self, name: Symbol, arity: usize) -> (usize, bool) {
        if let Some(known) = self.find(name, arity) {
            return (known, false);
        }
        let number = self.functors.len();
        let before = std::mem::replace(&mut self.last_of_name[name.index()], number as u32);
        self.functors.push((arity, before));
        (number, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_of_arguments_tell_functors_apart() {
        let mut functors = Functors::new(3);
        let [left, right] = [1, 2].map(Symbol::new);
        assert_eq!(functors.number(left, 2), (0, true));
        assert_eq!(functors.number(left, 3), (1, true));
        assert_eq!(functors.number(left, 2), (0, false));
        assert_eq!(
            (functors.find(left, 3), functors.find(left, 1), functors.find(right, 2)),
            (Some(1), None, None)
        );
    }
}
