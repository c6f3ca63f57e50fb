//! Which dependencies to try, from the strongest that the initial state allows to weaker ones.

use super::functors::Functors;
use super::tables::{Positions, all_positions, values_at};
use hashbrown::HashTable;
use senet_analysis::{Program, RelationId};
use senet_gdl::TermKind;
use senet_ids::Symbol;
use senet_terms::hash::hash_values;

/// Up to so many arguments all sets of positions are tried.
const MAX_EXHAUSTIVE: usize = 6;
/// Beyond so many arguments nothing is tried.
const MAX_ARITY: usize = 16;

senet_ids::define_id! {
    /// A dependency that was tried.
    pub(super) struct CandidateId;
}

/// A set of positions of which it is assumed that no two fluents agree there and differ elsewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) id: CandidateId,
    pub(super) key: Positions,
}

/// The fluents of one name and number of arguments.
#[derive(Debug)]
pub(super) struct Functor {
    pub(super) name: Symbol,
    pub(super) arity: usize,
    /// What is assumed of them; none follows from another.
    pub(super) assumed: Vec<Candidate>,
}

/// Everything that is assumed of a state.
#[derive(Debug)]
pub(super) struct Assumptions {
    pub(super) functors: Vec<Functor>,
    numbers: Functors,
    n_candidates: usize,
}

impl Assumptions {
    /// The strongest dependencies that hold in the initial state.
    pub(super) fn new<'t>(
        program: &Program,
        next: RelationId,
        init: impl Iterator<Item = (Symbol, &'t [u32])>,
    ) -> Self {
        let mut all =
            Self { functors: Vec::new(), numbers: Functors::new(program.symbols().len()), n_candidates: 0 };
        let mut rows: Vec<Vec<&[u32]>> = Vec::new();
        for (name, args) in init {
            let functor = all.functor(name, args.len());
            rows.resize_with(all.functors.len(), Vec::new);
            rows[functor].push(args);
        }
        for rule in program.rules_of(next) {
            if let Some(TermKind::Function(name, args)) = rule.head.args.first().map(|fluent| &fluent.kind) {
                all.functor(*name, args.len());
            }
        }
        rows.resize_with(all.functors.len(), Vec::new);
        for (functor, rows) in rows.iter().enumerate() {
            let arity = all.functors[functor].arity;
            if arity <= MAX_ARITY {
                all.assume_strongest(functor, rows);
            }
        }
        all
    }

    fn functor(&mut self, name: Symbol, arity: usize) -> usize {
        let (number, is_new) = self.numbers.number(name, arity);
        if is_new {
            self.functors.push(Functor { name, arity, assumed: Vec::new() });
        }
        number
    }

    /// The fluents of this name and number of arguments, if they are among those considered.
    pub(super) fn find(&self, name: Symbol, arity: usize) -> Option<&Functor> {
        self.numbers.find(name, arity).map(|at| &self.functors[at])
    }

    pub(super) fn n_candidates(&self) -> usize {
        self.n_candidates
    }

    /// Assumes the strongest dependencies that hold among the fluents with these arguments.
    fn assume_strongest(&mut self, functor: usize, rows: &[&[u32]]) {
        let mut tried = vec![0];
        let mut next = 0;
        // Breadth first, so that stronger keys are there before those that follow from them.
        while let Some(&key) = tried.get(next) {
            next += 1;
            let Functor { arity, assumed, .. } = &mut self.functors[functor];
            if assumed.iter().any(|stronger| stronger.key & key == stronger.key) {
                continue;
            }
            if is_key(rows, key) {
                assumed.push(Candidate { id: CandidateId::new(self.n_candidates), key });
                self.n_candidates += 1;
                continue;
            }
            for weaker in weaker(key, *arity) {
                if !tried.contains(&weaker) {
                    tried.push(weaker);
                }
            }
        }
    }

    /// Gives up an assumption.
    pub(super) fn abandon(&mut self, functor: usize, fallen: Candidate) {
        self.functors[functor].assumed.retain(|other| other.id != fallen.id);
    }

    /// Gives up an assumption for the weaker ones next to it that do not follow from the others.
    pub(super) fn weaken(&mut self, functor: usize, fallen: Candidate) {
        self.abandon(functor, fallen);
        let Functor { arity, assumed, .. } = &mut self.functors[functor];
        for key in weaker(fallen.key, *arity) {
            if assumed.iter().all(|stronger| stronger.key & key != stronger.key) {
                assumed.push(Candidate { id: CandidateId::new(self.n_candidates), key });
                self.n_candidates += 1;
            }
        }
    }
}

/// Whether no two rows, which are different, agree at these positions.
fn is_key(rows: &[&[u32]], key: Positions) -> bool {
    if key == 0 {
        return rows.len() <= 1;
    }
    let mut seen: HashTable<&[u32]> = HashTable::new();
    rows.iter().all(|row| {
        let hash_of = |row: &[u32]| hash_values(0, values_at(row, key));
        let hash = hash_of(row);
        let is_new = seen.find(hash, |other| values_at(other, key).eq(values_at(row, key))).is_none();
        if is_new {
            seen.insert_unique(hash, row, |row| hash_of(row));
        }
        is_new
    })
}

/// The next larger sets of positions that are tried; the whole is not, it says nothing.
fn weaker(key: Positions, arity: usize) -> Vec<Positions> {
    let size = key.count_ones() as usize;
    let all = all_positions(arity);
    if arity > MAX_EXHAUSTIVE && size == 1 {
        let pairs = (0..arity).flat_map(|left| (0..left).map(move |right| 1 << left | 1 << right));
        return pairs.filter(|pair| key & pair == 0).map(|pair: Positions| all & !pair).collect();
    }
    if size + 1 >= arity {
        return Vec::new();
    }
    (0..arity).map(|at| 1 << at).filter(|at| key & at == 0).map(|at| key | at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_grow_one_by_one_and_never_to_the_whole() {
        assert_eq!(weaker(0, 3), [0b001, 0b010, 0b100]);
        assert_eq!(weaker(0b001, 3), [0b011, 0b101]);
        assert!(weaker(0b011, 3).is_empty());
        assert!(weaker(0, 1).is_empty());
    }

    #[test]
    fn keys_tell_rows_apart() {
        let rows: [&[u32]; 3] = [&[1, 1, 5], &[1, 2, 5], &[2, 1, 5]];
        assert!(is_key(&rows, 0b011) && is_key(&rows[..1], 0) && is_key(&[], 0));
        assert!(!is_key(&rows, 0b001) && !is_key(&rows, 0b110) && !is_key(&rows, 0));
    }

    #[test]
    fn keys_of_long_fluents_jump_to_almost_all_positions() {
        let keys = weaker(0b1, 8);
        assert!(keys.iter().all(|key| key.count_ones() == 6 && key & 1 == 1));
        assert_eq!(keys.len(), 21);
        assert_eq!(weaker(keys[0], 8).len(), 2);
    }
}
