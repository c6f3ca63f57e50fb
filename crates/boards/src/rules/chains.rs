//! Orders of names: static relations that lead from each name to the next.

use super::StaticFacts;
use senet_gdl::{Description, Symbol};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Two names in a row may be anything, such as opponents.
const SHORTEST: usize = 3;
/// A cycle of fewer names may be the turns of players or the points of the compass.
const SHORTEST_CYCLE: usize = 5;
/// Other arguments of the relation are held fixed; a relation with more of them is no order.
const MOST_ARGUMENTS: usize = 4;
/// More chains than a game has directions.
const MOST_CHAINS: usize = 200;

/// Names in order.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    names: Vec<String>,
    places: HashMap<String, usize>,
}

impl Chain {
    /// The chain of these names, which are different.
    pub(crate) fn new(names: Vec<String>) -> Self {
        let places = names.iter().enumerate().map(|(place, name)| (name.clone(), place)).collect();
        Self { names, places }
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// The place of a name, counted from 0.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// The name at a place.
    pub(crate) fn value(&self, place: usize) -> Option<&str> {
        self.names.get(place).map(String::as_str)
    }
}

/// The chains of a rulesheet: two arguments of a relation, the others held fixed, of which each determines the other.
///
/// Chains of numbers are left out, for the order of numbers is known, and so are chains that run backwards.
pub(super) fn chains(description: &Description, facts: &StaticFacts) -> Vec<Arc<Chain>> {
    let mut found: Vec<Vec<Symbol>> = Vec::new();
    let mut known: BTreeSet<Vec<Symbol>> = BTreeSet::new();
    let is_number = |symbol: &Symbol| description.name(*symbol).bytes().all(|byte| byte.is_ascii_digit());
    for (&(_, arity), rows) in facts.iter().filter(|((_, arity), _)| (2..=MOST_ARGUMENTS).contains(arity)) {
        for (from, to) in (0..arity).flat_map(|from| (from + 1..arity).map(move |to| (from, to))) {
            for pairs in pairs_by_rest(rows, from, to).into_values() {
                for path in paths(&pairs).into_iter().filter(|path| !path.iter().all(is_number)) {
                    let backwards: Vec<Symbol> = path.iter().rev().copied().collect();
                    if !known.contains(&backwards) && known.insert(path.clone()) && found.len() < MOST_CHAINS
                    {
                        found.push(path);
                    }
                }
            }
        }
    }
    let names = |path: &Vec<Symbol>| path.iter().map(|&symbol| description.name(symbol).to_owned()).collect();
    found.iter().map(|path| Arc::new(Chain::new(names(path)))).collect()
}

type Pairs = Vec<(Symbol, Symbol)>;

/// Two columns, for each combination of values of the others.
fn pairs_by_rest(rows: &[Vec<Symbol>], from: usize, to: usize) -> BTreeMap<Vec<Symbol>, Pairs> {
    let mut groups: BTreeMap<Vec<Symbol>, Pairs> = BTreeMap::new();
    for row in rows {
        let rest = row.iter().enumerate().filter(|(at, _)| ![from, to].contains(at));
        groups.entry(rest.map(|(_, &symbol)| symbol).collect()).or_default().push((row[from], row[to]));
    }
    groups
}

/// The paths and cycles of pairs, if each name has one successor and one predecessor at most.
fn paths(pairs: &Pairs) -> Vec<Vec<Symbol>> {
    let mut next = BTreeMap::new();
    let mut previous = BTreeMap::new();
    for &(from, to) in pairs {
        let is_new = from != to && *next.entry(from).or_insert(to) == to;
        if !is_new || *previous.entry(to).or_insert(from) != from {
            return Vec::new();
        }
    }
    let mut visited = BTreeSet::new();
    let starts = next.keys().filter(|name| !previous.contains_key(*name)).copied();
    let mut found = Vec::new();
    // The links that no start of a path reaches are cycles.
    for start in starts.chain(next.keys().copied()) {
        let is_path = !previous.contains_key(&start);
        let mut path = Vec::new();
        let mut at = Some(start);
        while let Some(name) = at.filter(|&name| visited.insert(name)) {
            path.push(name);
            at = next.get(&name).copied();
        }
        if path.len() >= if is_path { SHORTEST } else { SHORTEST_CYCLE } {
            found.push(path);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chains_of(text: &str) -> Vec<String> {
        let description = senet_gdl::parse(text);
        let chains = chains(&description, &super::super::static_facts(&description));
        chains.iter().map(|chain| chain.names.join(" ")).collect()
    }

    #[test]
    fn names_follow_each_other() {
        assert_eq!(chains_of("(after a b) (after c d) (after b c)"), ["a b c d"]);
        assert_eq!(chains_of("(after a b) (after b c) (before b a) (before c b)"), ["a b c"]);
        assert_eq!(chains_of("(plus a one b) (plus b one c) (plus a two c)"), ["a b c"]);
    }

    #[test]
    fn what_branches_is_no_order() {
        assert!(chains_of("(near a b) (near b a) (near b c) (near c b)").is_empty());
        assert!(chains_of("(opponent white black)").is_empty());
        assert!(chains_of("(succ 1 2) (succ 2 3)").is_empty());
        assert!(chains_of("(turn n e) (turn e s) (turn s w) (turn w n)").is_empty());
    }

    #[test]
    fn a_long_cycle_begins_with_its_first_name() {
        assert_eq!(chains_of("(after c d) (after a b) (after b c) (after d e) (after e a)"), ["c d e a b"]);
    }
}
