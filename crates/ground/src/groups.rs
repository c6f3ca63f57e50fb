//! Rules that may have the same instances.

use crate::plan::Store;
use crate::rule::{Atom, Literal, Pattern, RelId, Rule};

/// In larger groups the rules are not compared with each other, but all their instances are.
const MOST_COMPARED: usize = 256;

/// A rule and how its instances relate to those of the rules around it.
pub(crate) struct Member {
    pub(crate) rule: Rule,
    /// Whether two ways to satisfy its body can be the same instance.
    pub(crate) is_symmetric: bool,
    /// Whether another member of the group may have the same instances.
    pub(crate) has_alike: bool,
}

/// The rules by stratum, then those with the same relations together.
pub(crate) fn group_rules(store: &Store, rules: Vec<Rule>) -> Vec<Vec<Member>> {
    let mut keyed: Vec<(Signature, Rule)> =
        rules.into_iter().map(|rule| (signature(store, &rule), rule)).collect();
    keyed.sort_by(|left, right| (left.1.stratum, &left.0).cmp(&(right.1.stratum, &right.0)));
    let mut groups = Vec::new();
    let mut keyed = keyed.into_iter().peekable();
    while let Some((signature, rule)) = keyed.next() {
        let mut group = vec![rule];
        while let Some((_, rule)) =
            keyed.next_if(|(next, rule)| *next == signature && rule.stratum == group[0].stratum)
        {
            group.push(rule);
        }
        let is_large = group.len() > MOST_COMPARED;
        let has_alike: Vec<bool> = (0..group.len())
            .map(|at| {
                let is_alike = |other: usize| other != at && may_coincide(store, &group[at], &group[other]);
                is_large || (0..group.len()).any(is_alike)
            })
            .collect();
        let members = group.into_iter().zip(has_alike).map(|(rule, has_alike)| {
            let is_symmetric = is_symmetric(store, &rule);
            Member { rule, is_symmetric, has_alike }
        });
        groups.push(members.collect());
    }
    groups
}

type Signature = (RelId, Vec<(RelId, bool)>);

/// The relations of the ground form of a rule.
fn signature(store: &Store, rule: &Rule) -> Signature {
    let mut relations: Vec<_> =
        dynamic(store, rule).map(|(atom, is_positive)| (atom.relation, is_positive)).collect();
    relations.sort();
    relations.dedup();
    (rule.head.relation, relations)
}

fn dynamic<'a>(store: &'a Store, rule: &'a Rule) -> impl Iterator<Item = (&'a Atom, bool)> {
    rule.body.iter().filter_map(|literal| match literal {
        Literal::Positive(atom) | Literal::Negative(atom)
            if !store.relations[atom.relation.index()].is_static() =>
        {
            Some((atom, literal.is_positive()))
        }
        _ => None,
    })
}

/// Whether no difference between constants keeps the instances of two rules apart.
fn may_coincide(store: &Store, left: &Rule, right: &Rule) -> bool {
    let has_partner = |(atom, is_positive): (&Atom, bool), other: &Rule| {
        dynamic(store, other).any(|(partner, sign)| sign == is_positive && !clash(atom, partner))
    };
    !clash(&left.head, &right.head)
        && dynamic(store, left).all(|it| has_partner(it, right))
        && dynamic(store, right).all(|it| has_partner(it, left))
}

/// Whether two conditions may change places: then two ways to satisfy the body can be the same instance.
pub(crate) fn is_symmetric(store: &Store, rule: &Rule) -> bool {
    let atoms: Vec<_> = dynamic(store, rule).collect();
    // Where the head shows every variable, different values give different instances.
    let head = rule.head_vars();
    let mut is_shown = true;
    for (atom, _) in &atoms {
        atom.for_each_var(&mut |var| is_shown &= head.contains(var));
    }
    if is_shown {
        return false;
    }
    // A negated atom that cannot hold is left out, and its variables with it.
    let mut shown = head;
    atoms.iter().filter(|(_, is_positive)| *is_positive).for_each(|(atom, _)| {
        atom.for_each_var(&mut |var| shown.insert(var));
    });
    let mut is_lost = false;
    for (atom, _) in &atoms {
        atom.for_each_var(&mut |var| is_lost |= !shown.contains(var));
    }
    if is_lost {
        return true;
    }
    let is_pair =
        |at: usize, other: usize| atoms[at].1 == atoms[other].1 && !clash(atoms[at].0, atoms[other].0);
    (0..atoms.len()).any(|at| (at + 1..atoms.len()).any(|other| is_pair(at, other)))
}

fn clash(left: &Atom, right: &Atom) -> bool {
    left.relation != right.relation || left.args.iter().zip(&right.args).any(|(l, r)| patterns_clash(l, r))
}

fn patterns_clash(left: &Pattern, right: &Pattern) -> bool {
    match (left, right) {
        (Pattern::Ground(left), Pattern::Ground(right)) => left != right,
        (Pattern::App(left, left_args), Pattern::App(right, right_args)) => {
            left != right || left_args.iter().zip(right_args).any(|(left, right)| patterns_clash(left, right))
        }
        // A ground compound term beside a pattern: taken to agree.
        _ => false,
    }
}
