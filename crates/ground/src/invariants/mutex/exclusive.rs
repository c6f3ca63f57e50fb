//! Groups of fluents that exclude each other, from dependencies.

use crate::invariants::Dependency;
use crate::lists::Lists;
use crate::program::{AtomId, GroundProgram, MutexGroup};
use hashbrown::HashTable;
use senet_ids::Symbol;
use senet_terms::hash::hash_values;

/// The fluents that agree on the key of a dependency, wherever these are several: at most one of them holds.
/// By dependency, then by first fluent; none is part of another.
pub(crate) fn exclusive_groups(program: &GroundProgram, dependencies: &[Dependency]) -> Vec<MutexGroup> {
    if dependencies.is_empty() {
        return Vec::new();
    }
    let mut fluents = compound_fluents(program);
    // Stable, so that the fluents of each functor stay in order.
    fluents.sort_by_key(|fluent| fluent.functor);
    let partitions: Vec<Partition> =
        dependencies.iter().filter_map(|dependency| partition(&fluents, dependency)).collect();
    let mut groups = Vec::new();
    for (at, partition) in partitions.iter().enumerate() {
        let classes = (0..partition.n_classes).map(|class| partition.classes.of(class));
        for class in classes.filter(|class| class.len() > 1) {
            let is_part = partitions.iter().enumerate().any(|(other_at, other)| {
                let is_rival = other_at != at && other.start == partition.start;
                // Of equal groups the first stays.
                is_rival
                    && other
                        .size_of_class_around(class)
                        .is_some_and(|size| (class.len(), other_at) < (size, at))
            });
            if !is_part {
                let fluents = class.iter().map(|&place| fluents[place as usize].atom).collect();
                groups.push(MutexGroup { fluents, is_exactly_one: false });
            }
        }
    }
    groups
}

/// A fluent with arguments.
struct Fluent<'p> {
    functor: u32,
    name: Symbol,
    args: &'p [u32],
    atom: AtomId,
}

fn compound_fluents(program: &GroundProgram) -> Vec<Fluent<'_>> {
    let fluents = program.base().zip(program.fluent_terms()).filter_map(|(atom, &term)| {
        let (functor, _) = program.terms().compound(term)?;
        let (name, args) = program.terms().application(term)?;
        Some(Fluent { functor, name, args, atom })
    });
    fluents.collect()
}

/// The fluents of a functor, divided into those that agree on the key.
struct Partition {
    /// Where the fluents of the functor begin.
    start: usize,
    /// Places of fluents, in order.
    classes: Lists,
    n_classes: usize,
    /// The class of each fluent of the functor.
    class_of: Vec<usize>,
}

impl Partition {
    /// How large the class is that contains all these fluents of the same functor.
    fn size_of_class_around(&self, part: &[u32]) -> Option<usize> {
        let class_of = |place: &u32| self.class_of[*place as usize - self.start];
        let class = class_of(part.first()?);
        part.iter().all(|place| class_of(place) == class).then(|| self.classes.of(class).len())
    }
}

/// `None` if there are no such fluents.
fn partition(fluents: &[Fluent], dependency: &Dependency) -> Option<Partition> {
    let is_own = |fluent: &Fluent| fluent.name == dependency.functor && fluent.args.len() == dependency.arity;
    let start = fluents.iter().position(is_own)?;
    let functor = fluents[start].functor;
    let end = start + fluents[start..].partition_point(|fluent| fluent.functor == functor);
    let key_of = |place: usize| dependency.key.iter().map(move |&at| fluents[place].args[at]);
    let hash_of = |place: usize| hash_values(functor, key_of(place));
    let mut class_of: Vec<usize> = Vec::with_capacity(end - start);
    let mut n_classes = 0;
    // The first fluent of each class.
    let mut known: HashTable<usize> = HashTable::new();
    for place in start..end {
        let hash = hash_of(place);
        let class = match known.find(hash, |&first| key_of(first).eq(key_of(place))) {
            Some(first) => class_of[first - start],
            None => {
                known.insert_unique(hash, place, |&first| hash_of(first));
                n_classes += 1;
                n_classes - 1
            }
        };
        class_of.push(class);
    }
    let classes = Lists::new(n_classes, || class_of.iter().copied().zip(start as u32..));
    Some(Partition { start, classes, n_classes, class_of })
}
