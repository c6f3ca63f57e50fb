//! Rules that speak of the same place: which arguments of which fluents have a variable in common.

use senet_gdl::{Atom, Clause, Description, Formula, Keyword, Symbol, Term, TermKind, VarId};
use std::collections::HashSet;

/// A relation by name and number of arguments.
pub(crate) type RelationKey = (String, usize);

/// Rules with more fluents are left out: each is compared with each.
const MOST_FLUENTS: usize = 40;
/// Arguments beyond these are left out.
const MOST_ARGUMENTS: usize = 10;

/// Pairs of arguments that have both variables in common in some rule.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    shared: HashSet<(RelationKey, [usize; 2], RelationKey, [usize; 2])>,
    /// Arguments that a rule takes from a fluent into a relation of its own.
    projected: HashSet<(RelationKey, Vec<usize>)>,
}

/// A fluent in a rule: its relation and the variables that are its arguments.
struct Fluent {
    relation: Symbol,
    variables: Vec<Option<VarId>>,
}

impl Links {
    pub(super) fn of(description: &Description) -> Self {
        let mut links = Self::default();
        for clause in &description.clauses {
            links.add(description, clause);
        }
        links
    }

    /// Whether a rule uses the same two variables in these arguments of the relations.
    pub(crate) fn share(
        &self,
        left: &RelationKey,
        at_left: [usize; 2],
        right: &RelationKey,
        at_right: [usize; 2],
    ) -> bool {
        self.shared.contains(&(left.clone(), at_left, right.clone(), at_right))
            || self.shared.contains(&(right.clone(), at_right, left.clone(), at_left))
    }

    /// Whether a rule takes of these arguments of the fluent exactly the chosen ones to its head.
    pub(crate) fn projects(&self, relation: &RelationKey, arguments: &[usize], chosen: &[usize]) -> bool {
        self.projected.iter().any(|(other, taken)| {
            let is_chosen = |argument: &&usize| taken.contains(argument) == chosen.contains(argument);
            other == relation && arguments.iter().filter(is_chosen).count() == arguments.len()
        })
    }

    fn add(&mut self, description: &Description, clause: &Clause) {
        let mut fluents = Vec::new();
        fluents.extend(fluent(description, &clause.head));
        for formula in &clause.body {
            visit(formula, &mut |atom| fluents.extend(fluent(description, atom)));
        }
        fluents.retain(|fluent: &Fluent| fluent.variables.iter().flatten().count() >= 2);
        if fluents.len() > MOST_FLUENTS {
            return;
        }
        let key = |fluent: &Fluent| (description.name(fluent.relation).to_owned(), fluent.variables.len());
        for (at, left) in fluents.iter().enumerate() {
            for right in &fluents[at + 1..] {
                for (at_left, at_right) in common_pairs(left, right) {
                    self.shared.insert((key(left), at_left, key(right), at_right));
                }
            }
        }
        if description.keyword(clause.head.relation).is_none() {
            let in_head = variables(&clause.head.args);
            for fluent in &fluents {
                let is_taken =
                    |at: &usize| fluent.variables[*at].is_some_and(|it| in_head.contains(&Some(it)));
                let taken: Vec<usize> = (0..fluent.variables.len()).filter(is_taken).collect();
                self.projected.insert((key(fluent), taken));
            }
        }
    }
}

fn visit<'a>(formula: &'a Formula, see: &mut impl FnMut(&'a Atom)) {
    formula.for_each_atom(&mut |atom, _| see(atom));
}

/// The variables of the fluent in `(true F)`, `(next F)` or `(init F)`.
fn fluent(description: &Description, atom: &Atom) -> Option<Fluent> {
    let (relation, arguments) = fluent_of(description, atom)?;
    (arguments.len() <= MOST_ARGUMENTS).then(|| Fluent { relation, variables: variables(arguments) })
}

/// Name and arguments of the fluent in `(true F)`, `(next F)` or `(init F)`.
pub(super) fn fluent_of<'a>(description: &Description, atom: &'a Atom) -> Option<(Symbol, &'a [Term])> {
    let keyword = description.keyword(atom.relation)?;
    let [Term { kind: TermKind::Function(relation, arguments), .. }] = atom.args.as_slice() else {
        return None;
    };
    matches!(keyword, Keyword::True | Keyword::Next | Keyword::Init).then_some((*relation, arguments))
}

fn variables(arguments: &[Term]) -> Vec<Option<VarId>> {
    let variable = |term: &Term| match term.kind {
        TermKind::Variable(variable) => Some(variable),
        _ => None,
    };
    arguments.iter().map(variable).collect()
}

/// Two arguments each, in order, that are the same two variables.
fn common_pairs(left: &Fluent, right: &Fluent) -> Vec<([usize; 2], [usize; 2])> {
    let mut common = Vec::new();
    for (at_left, variable) in left.variables.iter().enumerate().filter(|(_, it)| it.is_some()) {
        let at_right = right.variables.iter().position(|other| other == variable);
        common.extend(at_right.map(|at_right| (at_left, at_right)));
    }
    let pairs = common.iter().enumerate().flat_map(|(at, first)| {
        common[at + 1..].iter().map(move |second| ([first.0, second.0], [first.1, second.1]))
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_share_places_where_rules_say_so() {
        let text = "(<= (p ?x) (true (cell ?x ?y ?c)) (true (last ?c ?x ?y)) (not (true (wall ?y ?x))))";
        let links = Links::of(&senet_gdl::parse(text));
        let key = |name: &str, arity| (name.to_owned(), arity);
        assert!(links.share(&key("cell", 3), [0, 1], &key("last", 3), [1, 2]));
        assert!(links.share(&key("last", 3), [1, 2], &key("cell", 3), [0, 1]));
        assert!(!links.share(&key("cell", 3), [0, 1], &key("wall", 2), [0, 1]));
        assert!(
            links.projects(&key("cell", 3), &[0, 1], &[0])
                && !links.projects(&key("cell", 3), &[0, 1], &[0, 1])
        );
    }
}
