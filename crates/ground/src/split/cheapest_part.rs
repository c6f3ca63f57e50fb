//! Which part of a rule to name so that the fewest instances are left, by estimates.

use super::body_shape::{BodyShape, Part};
use super::estimate::{Size, join_size, projected, projected_join, sizes_of};
use super::{MOST_CONDITIONS, Which};
use crate::facts::FactStore;
use senet_rules::Rule;
use smallvec::SmallVec;

/// Rules with fewer instances are not worth a relation.
const FEW: f64 = 16.0;

/// What a greedy elimination takes first.
#[derive(Clone, Copy)]
enum Greed {
    /// The part that leaves the fewest instances right now.
    FewInstances,
    /// The part whose relation has the fewest facts.
    FewFacts,
}

/// A part with what naming it leaves.
struct Weighed {
    part: Part,
    name: Size,
    /// How many instances the rule of the part has, and how many the rest.
    inside: f64,
    outside: f64,
}

/// The sizes of the positive conditions of a body.
pub(crate) type Sizes = Vec<Option<Size>>;

/// The first part of the best way to split a rule, if that leaves less than two thirds of the instances of the
/// rule as it is.
pub(crate) fn cheapest_part(store: &mut FactStore, rule: &Rule) -> Option<Part> {
    if !(2..=MOST_CONDITIONS).contains(&rule.body.len()) {
        return None;
    }
    let shape = BodyShape::new(store, rule, Which::All);
    if !shape.has_inner_vars() {
        return None;
    }
    let parts = shape.parts();
    if parts.is_empty() {
        return None;
    }
    let sizes = sizes_of(store, rule);
    let whole = join_size(store, sizes.iter().flatten()).rows;
    if whole < FEW {
        return None;
    }
    let weighed = weigh(store, parts, &sizes);
    let mut least = whole / 1.5;
    let mut best = None;
    for greed in [Greed::FewInstances, Greed::FewFacts] {
        let first = choose(&weighed, greed)?;
        let left = eliminate(store, &shape, &sizes, first, greed, least);
        if left < least {
            least = left;
            best = Some(&first.part);
        }
    }
    best.cloned()
}

/// How many instances are left when a rule is split in the best way that is found.
pub(crate) fn least_instances(store: &FactStore, rule: &Rule, sizes: &Sizes) -> f64 {
    let whole = join_size(store, sizes.iter().flatten()).rows;
    if rule.body.len() > MOST_CONDITIONS {
        return whole;
    }
    let shape = BodyShape::new(store, rule, Which::All);
    let weighed = weigh(store, shape.parts(), sizes);
    let greeds = [Greed::FewInstances, Greed::FewFacts].into_iter();
    let left = greeds.filter_map(|greed| {
        choose(&weighed, greed).map(|first| eliminate(store, &shape, sizes, first, greed, whole))
    });
    left.fold(whole, f64::min)
}

fn weigh(store: &FactStore, parts: impl IntoIterator<Item = Part>, sizes: &Sizes) -> SmallVec<[Weighed; 4]> {
    let weigh = |part: Part| {
        let domains = part.binding.iter().filter_map(|&at| sizes[at].as_ref());
        let domains: SmallVec<[Size; 2]> =
            domains.map(|size| projected(store, size, |var| part.vars.contains(var))).collect();
        let members = || part.replaced.iter().filter_map(|at| sizes[at].as_ref()).chain(&domains);
        let inside = join_size(store, members());
        let name = projected_join(store, &inside, members(), |var| part.kept.contains(var));
        let rest = (0..sizes.len()).filter(|&at| !part.replaced.contains(at));
        let outside = join_size(store, rest.filter_map(|at| sizes[at].as_ref()).chain([&name])).rows;
        Weighed { part, name, inside: inside.rows, outside }
    };
    parts.into_iter().map(weigh).collect()
}

fn choose(weighed: &[Weighed], greed: Greed) -> Option<&Weighed> {
    let weight = |it: &Weighed| match greed {
        Greed::FewInstances => it.inside + it.outside,
        Greed::FewFacts => it.name.rows,
    };
    weighed.iter().min_by(|left, right| weight(left).total_cmp(&weight(right)))
}

/// How many instances are left when parts are named one after the other. What is not less than `most` is not counted to
/// the end.
fn eliminate(
    store: &FactStore,
    shape: &BodyShape,
    sizes: &Sizes,
    first: &Weighed,
    greed: Greed,
    most: f64,
) -> f64 {
    let (mut shape, mut sizes) = (shape.clone(), sizes.clone());
    let mut inside_all = first.inside;
    let mut best = inside_all + first.outside;
    name(&mut shape, &mut sizes, &first.part, &first.name);
    while inside_all < most {
        let weighed = weigh(store, shape.parts(), &sizes);
        let Some(next) = choose(&weighed, greed) else { break };
        inside_all += next.inside;
        best = best.min(inside_all + next.outside);
        name(&mut shape, &mut sizes, &next.part, &next.name);
    }
    best
}

/// Puts a relation of its own in the place of a part.
fn name(shape: &mut BodyShape, sizes: &mut Sizes, part: &Part, name: &Size) {
    let mut at = 0;
    sizes.retain(|_| {
        at += 1;
        !part.replaced.contains(at - 1)
    });
    sizes.push(Some(name.clone()));
    shape.replace(part);
}
