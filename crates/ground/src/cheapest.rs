//! Which part of a rule to name so that the fewest instances are left, by estimates.

use crate::estimate::{Size, join_size, projected, sizes_of};
use crate::plan::Store;
use crate::rule::Rule;
use crate::split::{MOST_CONDITIONS, Outline, Part, Which};

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

/// The first part of the best way to split a rule, if that leaves less than two thirds of the instances of the
/// rule as it is.
pub(crate) fn cheapest_part(store: &mut Store, rule: &Rule) -> Option<Part> {
    if !(2..=MOST_CONDITIONS).contains(&rule.body.len()) {
        return None;
    }
    let outline = Outline::new(store, rule, Which::All);
    if !outline.has_inner_vars() {
        return None;
    }
    let sizes = sizes_of(store, rule);
    let whole = join_size(sizes.iter().flatten()).rows;
    if whole < FEW {
        return None;
    }
    let mut best = (whole / 1.5, None);
    for greed in [Greed::FewInstances, Greed::FewFacts] {
        let found = eliminate(outline.clone(), sizes.clone(), greed);
        if found.0 < best.0 {
            best = found;
        }
    }
    best.1
}

/// How many instances are left when a rule is split in the best way that is found.
pub(crate) fn least_instances(store: &Store, rule: &Rule, sizes: Vec<Option<Size>>) -> f64 {
    let whole = join_size(sizes.iter().flatten()).rows;
    if rule.body.len() > MOST_CONDITIONS {
        return whole;
    }
    let outline = Outline::new(store, rule, Which::All);
    let few_instances = eliminate(outline.clone(), sizes.clone(), Greed::FewInstances).0;
    let few_facts = eliminate(outline, sizes, Greed::FewFacts).0;
    whole.min(few_instances).min(few_facts)
}

/// How many instances are left when parts are named one after the other, and the first of them.
fn eliminate(mut outline: Outline, mut sizes: Vec<Option<Size>>, greed: Greed) -> (f64, Option<Part>) {
    let mut first = None;
    let (mut best, mut inside_all) = (f64::INFINITY, 0.0);
    loop {
        let mut choice: Option<(f64, f64, f64, Part, Size)> = None;
        for part in outline.parts() {
            let domains = part.binding.iter().filter_map(|&at| sizes[at].as_ref());
            let domains: Vec<Size> =
                domains.map(|size| projected(size, |var| part.vars.contains(var))).collect();
            let replaced = part.replaced.iter().filter_map(|&at| sizes[at].as_ref());
            let inside = join_size(replaced.chain(&domains));
            let name = projected(&inside, |var| part.kept.contains(var));
            let rest = (0..sizes.len()).filter(|at| !part.replaced.contains(at));
            let outside = join_size(rest.filter_map(|at| sizes[at].as_ref()).chain([&name])).rows;
            let weight = match greed {
                Greed::FewInstances => inside.rows + outside,
                Greed::FewFacts => name.rows,
            };
            if choice.as_ref().is_none_or(|(least, ..)| weight < *least) {
                choice = Some((weight, inside.rows, outside, part, name));
            }
        }
        let Some((_, inside, outside, part, name)) = choice else { return (best, first) };
        for &at in part.replaced.iter().rev() {
            sizes.remove(at);
        }
        sizes.push(Some(name));
        outline.replace(&part);
        first = first.or(Some(part));
        inside_all += inside;
        best = best.min(inside_all + outside);
    }
}
