//! Which ids stand in which list: those that agree with the same inputs stand together.

use crate::facts::{Facts, whole};
use crate::knowledge::Layout;
use crate::superset::Supersets;
use rustc_hash::FxHashMap;
use senet_rules::{Atom, Leaf, Lifetime, Pattern, RelId, RuleSet};
use senet_terms::Terms;
use std::ops::Range;

/// More inputs of a relation are not told apart.
const MOST_INPUTS: usize = 64;
/// More lists of all relations together would not have numbers: from here on each relation has one.
const MOST_LISTS_OF_ALL: usize = 32_000;
/// More lists of a relation are not worth reading.
const MOST_LISTS: usize = 512;

/// Where ids are.
#[derive(Debug, Default)]
pub(crate) struct Arrangement {
    pub(crate) layout: Layout,
    /// By relation: its lists.
    pub(crate) lists: Vec<Range<u32>>,
    /// The first list of what depends on moves.
    pub(crate) first_of_moves: usize,
    /// By relation and number of the id: its place.
    pub(crate) places: Vec<u32>,
    /// By place: the number before.
    pub(crate) origins: Vec<u32>,
    /// By relation: its inputs, and the lists of each.
    inputs: Vec<Vec<(Atom, Vec<u32>)>>,
}

/// The first number of the ids of each relation; the number 0 is of none.
pub(crate) fn first_numbers(rule_set: &RuleSet, supersets: &Supersets) -> (Vec<u32>, u32) {
    let mut next = 1;
    let mut first = Vec::new();
    for (at, relation) in rule_set.relations.iter().enumerate() {
        first.push(next);
        if relation.lifetime != Lifetime::Match {
            next += supersets.size(RelId::new(at));
        }
    }
    (first, next)
}

/// By row of a relation: which of the inputs it agrees with.
fn signatures(facts: &mut Facts, terms: &Terms, relation: RelId, inputs: &[Atom]) -> Vec<u64> {
    let mut signatures = vec![0; facts[whole(relation)].len() as usize];
    for (at, input) in inputs.iter().enumerate().take(MOST_INPUTS) {
        let form = facts.of_atom(input);
        facts.sync(form, terms);
        let leaves = input.leaves();
        for row in 0..facts[form].len() {
            if agrees(&leaves, facts[form].row(row)) {
                signatures[facts[form].whole(row) as usize] |= 1 << at;
            }
        }
    }
    signatures
}

/// Whether a row has the ground terms of an atom, and equal terms for equal variables.
pub(crate) fn agrees(leaves: &[Leaf], row: &[u32]) -> bool {
    leaves.iter().zip(row).enumerate().all(|(column, (leaf, &term))| match leaf {
        Leaf::Ground(own) => *own == term,
        Leaf::Var(_) => {
            let first = leaves.iter().position(|it| it == leaf);
            first.is_none_or(|first| first == column || row[first] == term)
        }
    })
}

impl Arrangement {
    /// The first place of the ids of some lists and how many there are, if they stand side by side.
    pub(crate) fn first_of(&self, lists: &[u32]) -> Option<(u32, u32)> {
        let list_of = &self.layout.list_of;
        let is_own = |place: &usize| lists.contains(&u32::from(list_of[*place]));
        // The place 0 is of no relation.
        let first = (1..list_of.len()).find(is_own)?;
        let last = (1..list_of.len()).rev().find(is_own)?;
        (first..=last).all(|place| is_own(&place)).then_some((first as u32, (last + 1 - first) as u32))
    }

    /// Lists for some inputs of each relation.
    pub(crate) fn new(
        rule_set: &RuleSet,
        supersets: &Supersets,
        facts: &mut Facts,
        terms: &Terms,
        inputs: Vec<Vec<Atom>>,
    ) -> Arrangement {
        let (first, n_places) = first_numbers(rule_set, supersets);
        let mut arrangement = Arrangement {
            layout: Layout { list_of: vec![0; n_places as usize], sizes: Vec::new() },
            lists: vec![0..0; rule_set.relations.len()],
            first_of_moves: 0,
            places: (0..n_places).collect(),
            origins: (0..n_places).collect(),
            inputs: vec![Vec::new(); rule_set.relations.len()],
        };
        let keywords = rule_set.keywords;
        // Moves stay in the order of the source. What comes next lies as what is.
        let stays = [keywords.legal, keywords.moves, keywords.next];
        for lifetime in [Lifetime::Position, Lifetime::Move] {
            if lifetime == Lifetime::Move {
                arrangement.first_of_moves = arrangement.layout.sizes.len();
            }
            for (at, _) in rule_set.relations.iter().enumerate().filter(|(_, it)| it.lifetime == lifetime) {
                let relation = RelId::new(at);
                let mut signatures = match supersets.is_written_out(relation) {
                    true => signatures(facts, terms, relation, &inputs[at]),
                    false => vec![u64::MAX; supersets.size(relation) as usize],
                };
                let mut kinds = signatures.clone();
                kinds.sort_unstable();
                kinds.dedup();
                if kinds.len() > MOST_LISTS || arrangement.layout.sizes.len() > MOST_LISTS_OF_ALL {
                    signatures.fill(u64::MAX);
                    kinds = vec![u64::MAX];
                }
                arrangement.add_lists(&inputs[at], relation, &kinds);
                let numbers: FxHashMap<u64, u32> = kinds.into_iter().zip(0..).collect();
                let list = |id: &u32| numbers[&signatures[*id as usize]];
                let mut ids: Vec<u32> = (0..signatures.len() as u32).collect();
                if !stays.contains(&relation) {
                    ids.sort_by_key(list);
                }
                for (place, id) in (first[at]..).zip(&ids) {
                    let list = arrangement.lists[at].start + list(id);
                    let number = first[at] + id;
                    arrangement.places[number as usize] = place;
                    arrangement.origins[place as usize] = number;
                    arrangement.layout.list_of[place as usize] = list as u16;
                    arrangement.layout.sizes[list as usize] += 1;
                }
            }
        }
        arrangement.lay_next_as_fluents(&first, keywords.next.index(), keywords.fluents.index());
        arrangement
    }

    fn add_lists(&mut self, inputs: &[Atom], relation: RelId, kinds: &[u64]) {
        let sizes = &mut self.layout.sizes;
        let lists = sizes.len() as u32..(sizes.len() + kinds.len()) as u32;
        sizes.resize(lists.end as usize, 0);
        for (at, input) in inputs.iter().enumerate() {
            let agrees = |kind: u64| at >= MOST_INPUTS || kind >> at & 1 == 1;
            let own = lists.clone().zip(kinds).filter(|&(_, &kind)| agrees(kind)).map(|(list, _)| list);
            self.inputs[relation.index()].push((input.clone(), own.collect()));
        }
        self.lists[relation.index()] = lists;
    }

    fn lay_next_as_fluents(&mut self, first: &[u32], next: usize, fluents: usize) {
        let lists: Vec<u16> = {
            let n_ids = self.lists[next].clone().map(|list| self.layout.sizes[list as usize]).sum::<u32>();
            (0..n_ids).map(|id| self.layout.list_of[(first[next] + id) as usize]).collect()
        };
        for (id, list) in (0..).zip(lists) {
            let place = self.places[(first[fluents] + id) as usize] - first[fluents] + first[next];
            self.places[(first[next] + id) as usize] = place;
            self.origins[place as usize] = first[next] + id;
            self.layout.list_of[place as usize] = list;
        }
    }

    /// The lists of an input; all of the relation if it was not told apart.
    pub(crate) fn lists_of(&self, atom: &Atom) -> Vec<u32> {
        let known = self.inputs[atom.relation.index()].iter().find(|(input, _)| is_same(input, atom));
        known.map_or_else(|| self.lists[atom.relation.index()].clone().collect(), |(_, lists)| lists.clone())
    }
}

/// Whether two atoms agree with the same ids: they differ at most in the names of variables.
pub(crate) fn is_same(left: &Atom, right: &Atom) -> bool {
    let shape = |pattern: &Pattern| pattern.map_vars(&mut |_| Pattern::Var(0));
    let vars = |atom: &Atom| {
        let leaves = atom.leaves();
        let first = |leaf: &Leaf| leaves.iter().position(|it| it == leaf);
        leaves.iter().map(first).collect::<Vec<_>>()
    };
    left.relation == right.relation
        && left.args.iter().map(shape).eq(right.args.iter().map(shape))
        && vars(left) == vars(right)
}
