//! Supersets of the instances of relations (Definition 3), and the relation ids over them.
//!
//! What may ever hold is computed where that comes to an end soon: ids are dense over it, in the order of the source for
//! moves. Otherwise ids are those of Definition 4 over the domains of the arguments.

use crate::domain::{Domain, Unbounded, instance, number, product};
use crate::facts::{Facts, whole};
use crate::join::{Limits, Stop};
use crate::saturate::{Derivation, Halt};
use senet_ids::thread_cpu_time;
use senet_rules::{Atom, Lifetime, Literal, Pattern, RelId, RuleSet};
use senet_terms::Terms;
use std::time::Duration;

/// What may be spent on computing what may hold.
const MOST_FACTS: u64 = 12_000_000;
const MOST_TIME: Duration = Duration::from_secs(6);
/// Instances of domains are written out up to so many.
const MOST_INSTANCES: u64 = 1 << 20;
/// So many ids a knowledge base can have.
const MOST_IDS: u64 = 1 << 25;

/// How the instances of relations are numbered.
#[derive(Debug, Default)]
pub(crate) struct Supersets {
    /// By relation: the domains of its arguments where its instances are not written out.
    domains: Vec<Option<Vec<Domain>>>,
    /// By relation: how many ids it has.
    sizes: Vec<u32>,
}

impl Supersets {
    /// Numbers the instances of relations that are not permanent: their rows in `facts`, in the order of ids.
    pub(crate) fn new(rule_set: &RuleSet, facts: &mut Facts, terms: &mut Terms) -> Result<Supersets, Halt> {
        let permanent = facts.clone();
        let limits = Limits::until(Some(thread_cpu_time() + MOST_TIME));
        let mut derivation = Derivation { facts, terms, limits, n_left: MOST_FACTS };
        let domains = match derivation.superset(rule_set) {
            Ok(()) => vec![None; rule_set.relations.len()],
            Err(Halt { stop: Stop::Time | Stop::Facts, .. }) => {
                *facts = permanent;
                write_out(rule_set, facts, terms)?
            }
            Err(halt) => return Err(halt),
        };
        let keywords = rule_set.keywords;
        let moves = sorted(facts, keywords.legal, terms);
        for (relation, rows) in [
            (keywords.legal, &moves),
            (keywords.moves, &moves),
            (keywords.next, &rows(facts, keywords.fluents)),
        ] {
            if domains[relation.index()].is_none() {
                facts.clear(|it| it == relation);
                rows.iter().for_each(|row| {
                    facts[whole(relation)].insert(row);
                });
            }
        }
        let mut sizes = Vec::new();
        for at in 0..rule_set.relations.len() {
            let size = match &domains[at] {
                Some(domains) => product(domains).expect("it was computed before"),
                None => u64::from(facts[whole(RelId::new(at))].len()),
            };
            sizes.push(size as u32);
        }
        Ok(Supersets { domains, sizes })
    }

    /// How many instances a relation may have.
    pub(crate) fn size(&self, relation: RelId) -> u32 {
        self.sizes[relation.index()]
    }

    /// Whether the instances are rows in the order of ids.
    pub(crate) fn is_written_out(&self, relation: RelId) -> bool {
        self.domains[relation.index()].is_none()
    }

    /// The relation id of an instance.
    pub(crate) fn id(&self, relation: RelId, facts: &Facts, terms: &Terms, args: &[u32]) -> Option<u32> {
        match &self.domains[relation.index()] {
            None => facts[whole(relation)].find(args),
            Some(domains) => number(domains, terms, args).map(|id| id as u32),
        }
    }

    /// Appends the arguments of the instance with an id.
    pub(crate) fn instance(
        &self,
        relation: RelId,
        facts: &Facts,
        terms: &mut Terms,
        id: u32,
        args: &mut Vec<u32>,
    ) {
        match &self.domains[relation.index()] {
            None => args.extend_from_slice(facts[whole(relation)].row(id)),
            Some(domains) => {
                args.extend(instance(domains, terms, u64::from(id)).expect("ids are of instances"));
            }
        }
    }
}

fn rows(facts: &Facts, relation: RelId) -> Vec<Vec<u32>> {
    let form = &facts[whole(relation)];
    (0..form.len()).map(|row| form.row(row).to_vec()).collect()
}

/// The rows of a relation in source order.
fn sorted(facts: &Facts, relation: RelId, terms: &Terms) -> Vec<Vec<u32>> {
    let mut rows = rows(facts, relation);
    let mut members: Vec<u32> = rows.iter().flatten().copied().collect();
    members.sort_unstable();
    members.dedup();
    let mut ranked = members.clone();
    ranked.sort_unstable_by(|&left, &right| terms.source_order(left, right));
    let mut ranks = vec![0_u32; members.last().map_or(0, |&last| last as usize + 1)];
    (0..).zip(&ranked).for_each(|(rank, &term)| ranks[term as usize] = rank);
    rows.sort_unstable_by(|left, right| {
        let rank = |&term: &u32| ranks[term as usize];
        left.iter().map(rank).cmp(right.iter().map(rank))
    });
    rows
}

/// Domains of all arguments; the instances of small supersets become facts.
fn write_out(
    rule_set: &RuleSet,
    facts: &mut Facts,
    terms: &mut Terms,
) -> Result<Vec<Option<Vec<Domain>>>, Halt> {
    let domains = propagate(rule_set, facts, terms)?;
    let is_dynamic = |at: &usize| rule_set.relations[*at].lifetime != Lifetime::Match;
    let mut sizes = vec![0; domains.len()];
    let mut n_ids: u64 = 0;
    for at in (0..domains.len()).filter(is_dynamic) {
        let size = product(&domains[at]);
        let halt = Halt { relation: RelId::new(at), stop: Stop::Facts };
        n_ids = size.and_then(|size| n_ids.checked_add(size)).filter(|&n| n < MOST_IDS).ok_or(halt)?;
        sizes[at] = size.unwrap_or(0);
    }
    let mut large = vec![None; domains.len()];
    let mut n_left = MOST_INSTANCES;
    for (at, domains) in domains.into_iter().enumerate().filter(|(at, _)| is_dynamic(at)) {
        match n_left.checked_sub(sizes[at]) {
            Some(left) => {
                n_left = left;
                for id in 0..sizes[at] {
                    let args = instance(&domains, terms, id).expect("ids are of instances");
                    facts[whole(RelId::new(at))].insert(&args);
                }
            }
            None => large[at] = Some(domains),
        }
    }
    // Moves are numbered like permissions, and what is like what comes next.
    let keywords = rule_set.keywords;
    for (one, other) in [(keywords.fluents, keywords.next), (keywords.legal, keywords.moves)] {
        let both = large[one.index()].clone().or(large[other.index()].clone());
        if both.is_some() {
            facts.clear(|relation| relation == one || relation == other);
            (large[one.index()], large[other.index()]) = (both.clone(), both);
        }
    }
    Ok(large)
}

/// Domains go from the bodies of rules to their heads until nothing changes (Definition 2).
fn propagate(rule_set: &RuleSet, facts: &Facts, terms: &Terms) -> Result<Vec<Vec<Domain>>, Halt> {
    let keywords = rule_set.keywords;
    let mut domains: Vec<Vec<Domain>> =
        rule_set.relations.iter().map(|relation| vec![Domain::default(); relation.arity]).collect();
    for (at, domains) in domains.iter_mut().enumerate() {
        let form = &facts[whole(RelId::new(at))];
        for row in (0..form.len()).map(|row| form.row(row)) {
            domains.iter_mut().zip(row).for_each(|(domain, &term)| domain.add(terms, term));
        }
    }
    domains[keywords.fluents.index()] = domains[keywords.init.index()].clone();
    let mut is_new = true;
    while is_new {
        is_new = false;
        let mut add = |domains: &mut Vec<Vec<Domain>>, relation: RelId, new: &[Domain]| {
            for (domain, new) in domains[relation.index()].iter_mut().zip(new) {
                let halt = Halt { relation, stop: Stop::Depth };
                is_new |= domain.unite(new).map_err(|Unbounded| halt)?;
                if domain.size().is_none_or(|size| size > MOST_IDS) {
                    return Err(Halt { relation, stop: Stop::Facts });
                }
            }
            Ok(())
        };
        for rule in rule_set.rules.iter().filter(|rule| !rule_set.is_permanent(rule.head.relation)) {
            let mut of_vars: Vec<Option<Domain>> = vec![None; rule.n_vars];
            let positive = rule.body.iter().filter_map(|literal| match literal {
                Literal::Positive(atom) => Some(atom),
                _ => None,
            });
            let is_possible = positive.clone().all(|atom| restrict_atom(atom, &domains, &mut of_vars, terms));
            if is_possible {
                let head: Vec<Domain> =
                    rule.head.args.iter().map(|arg| domain(arg, &of_vars, terms)).collect();
                add(&mut domains, rule.head.relation, &head)?;
            }
        }
        for (from, to) in [(keywords.next, keywords.fluents), (keywords.legal, keywords.moves)] {
            let new = domains[from.index()].clone();
            add(&mut domains, to, &new)?;
        }
    }
    for (from, to) in [(keywords.fluents, keywords.next), (keywords.moves, keywords.legal)] {
        domains[to.index()] = domains[from.index()].clone();
    }
    Ok(domains)
}

fn restrict_atom(
    atom: &Atom,
    domains: &[Vec<Domain>],
    of_vars: &mut [Option<Domain>],
    terms: &Terms,
) -> bool {
    let own = &domains[atom.relation.index()];
    atom.args.iter().zip(own).all(|(arg, domain)| restrict(arg, domain, of_vars, terms))
}

/// Takes from the domains of variables what cannot stand in a place; says whether anything can.
fn restrict(pattern: &Pattern, domain: &Domain, of_vars: &mut [Option<Domain>], terms: &Terms) -> bool {
    match pattern {
        Pattern::Var(var) => {
            let own = &mut of_vars[*var as usize];
            let both = own.as_ref().map_or_else(|| domain.clone(), |own| own.intersect(domain));
            !own.insert(both).is_empty()
        }
        Pattern::Ground(term) => domain.number(terms, *term).is_some(),
        Pattern::App(functor, args) => domain.args(*functor).is_some_and(|domains| {
            args.iter().zip(domains).all(|(arg, domain)| restrict(arg, domain, of_vars, terms))
        }),
    }
}

fn domain(pattern: &Pattern, of_vars: &[Option<Domain>], terms: &Terms) -> Domain {
    match pattern {
        Pattern::Var(var) => of_vars[*var as usize].clone().unwrap_or_default(),
        Pattern::Ground(term) => Domain::of(terms, *term),
        Pattern::App(functor, args) => {
            Domain::function(*functor, args.iter().map(|arg| domain(arg, of_vars, terms)).collect())
        }
    }
}
