//! Groups of fluents that exclude each other, from dependencies.

use crate::dependency::Dependency;
use crate::hash::hash_values;
use crate::program::{AtomId, GroundProgram, MutexGroup};
use hashbrown::HashTable;

/// The fluents that agree on the key of a dependency, wherever these are several: at most one of them holds.
/// By dependency, then by first fluent; none is part of another.
pub(crate) fn exclusive_groups(program: &GroundProgram, dependencies: &[Dependency]) -> Vec<MutexGroup> {
    let mut fluents = compound_fluents(program);
    // Stable, so that the fluents of each functor stay in order.
    fluents.sort_by_key(|fluent| fluent.functor);
    let partitions: Vec<Partition> =
        dependencies.iter().filter_map(|dependency| partition(program, &fluents, dependency)).collect();
    let mut groups = Vec::new();
    for (at, partition) in partitions.iter().enumerate() {
        for class in &partition.classes {
            let is_part = partitions.iter().enumerate().any(|(other_at, other)| {
                let is_rival = other_at != at && other.start == partition.start;
                // Of equal groups the first stays.
                is_rival
                    && other
                        .size_of_class_around(class)
                        .is_some_and(|size| (class.len(), other_at) < (size, at))
            });
            if !is_part {
                let fluents = class.iter().map(|&place| fluents[place].atom).collect();
                groups.push(MutexGroup { fluents, is_exactly_one: false });
            }
        }
    }
    groups
}

/// A fluent with arguments.
struct Fluent<'p> {
    functor: u32,
    args: &'p [u32],
    atom: AtomId,
}

fn compound_fluents(program: &GroundProgram) -> Vec<Fluent<'_>> {
    let fluents = program.base().filter_map(|atom| {
        let term = program.args(atom).next()?;
        let (functor, args) = program.terms().compound(term.index() as u32)?;
        Some(Fluent { functor, args, atom })
    });
    fluents.collect()
}

/// The fluents of a functor, divided into those that agree on the key.
struct Partition {
    /// Where the fluents of the functor begin.
    start: usize,
    /// Places of fluents, in order; only classes of several.
    classes: Vec<Vec<usize>>,
    /// The class of each fluent of the functor; `None` if it is alone.
    class_of: Vec<Option<usize>>,
}

impl Partition {
    /// How large the class is that contains all these fluents of the same functor.
    fn size_of_class_around(&self, part: &[usize]) -> Option<usize> {
        let class_of = |place: &usize| self.class_of[place - self.start];
        let class = class_of(part.first()?)?;
        part.iter().all(|place| class_of(place) == Some(class)).then(|| self.classes[class].len())
    }
}

/// `None` if there are no such fluents.
fn partition(program: &GroundProgram, fluents: &[Fluent], dependency: &Dependency) -> Option<Partition> {
    let is_own = |fluent: &Fluent| {
        let term = program.args(fluent.atom).next();
        fluent.args.len() == dependency.arity
            && term.is_some_and(|term| program.terms().parts(term).0 == dependency.functor)
    };
    let mut start = 0;
    while !is_own(fluents.get(start)?) {
        let functor = fluents[start].functor;
        start += fluents[start..].partition_point(|fluent| fluent.functor == functor);
    }
    let functor = fluents[start].functor;
    let end = start + fluents[start..].partition_point(|fluent| fluent.functor == functor);
    let key_of = |place: usize| dependency.key.iter().map(move |&at| fluents[place].args[at]);
    let hash_of = |place: usize| hash_values(functor, key_of(place));
    let mut classes: Vec<Vec<usize>> = Vec::new();
    let mut known: HashTable<usize> = HashTable::new();
    for place in start..end {
        let is_same = |&class: &usize| key_of(classes[class][0]).eq(key_of(place));
        match known.find(hash_of(place), is_same) {
            Some(&class) => classes[class].push(place),
            None => {
                classes.push(vec![place]);
                known.insert_unique(hash_of(place), classes.len() - 1, |&class| hash_of(classes[class][0]));
            }
        }
    }
    classes.retain(|class| class.len() > 1);
    let mut class_of = vec![None; end - start];
    for (class, places) in classes.iter().enumerate() {
        places.iter().for_each(|place| class_of[place - start] = Some(class));
    }
    Some(Partition { start, classes, class_of })
}
