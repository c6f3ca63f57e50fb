//! Relations that are asked only with known arguments are derived only for those.
//!
//! In amazons a path is wanted from where a piece stands, and there are a hundred times as many paths. A relation whose
//! superset is large gets a relation of demands: the known arguments of its occurrences, derived from what stands before
//! them. Its rules begin with the demand. The arguments are those that are known in every occurrence, so that each relation
//! stays one. Negated relations are left alone: what is demanded might then depend on what is not known yet.

use crate::superset::Supersets;
use senet_analysis::Graph;
use senet_languages::mini::{Atom, Lifetime, Literal, Mini, Pattern, RelId, Relation, Rule};

/// Supersets that are smaller are derived whole.
const LARGE: u32 = 10_000;

/// The rules with demands; `None` if no relation has use of them.
pub(crate) fn demanded(mini: &Mini, supersets: &Supersets) -> Option<Mini> {
    let mut demands = Demands::new(mini, supersets);
    demands.settle();
    if demands.known.iter().all(Option::is_none) {
        return None;
    }
    let mut demanded = demands.rewritten();
    unite_strata(&mut demanded, mini.relations.len()).then_some(demanded)
}

struct Demands<'m> {
    mini: &'m Mini,
    /// By relation that is demanded: which arguments are known.
    known: Vec<Option<Vec<bool>>>,
}

fn is_permanent(mini: &Mini, relation: RelId) -> bool {
    mini.relations[relation.index()].lifetime == Lifetime::Match
}

impl Demands<'_> {
    fn new<'m>(mini: &'m Mini, supersets: &Supersets) -> Demands<'m> {
        let keywords = mini.keywords;
        let asked = [
            keywords.role,
            keywords.init,
            keywords.fluents,
            keywords.moves,
            keywords.legal,
            keywords.next,
            keywords.goal,
            keywords.terminal,
        ];
        let relations = mini.relations.iter().enumerate();
        let mut known: Vec<Option<Vec<bool>>> = relations
            .map(|(at, relation)| {
                let is_large = supersets.is_written_out(RelId::new(at))
                    && supersets.size(RelId::new(at)) >= LARGE
                    && relation.lifetime != Lifetime::Match;
                (is_large && !asked.contains(&RelId::new(at))).then(|| vec![true; relation.arity])
            })
            .collect();
        for rule in &mini.rules {
            for literal in &rule.body {
                let Some(atom) = literal.atom() else { continue };
                // What is demanded by moves would not be known before them.
                let lifetime = |relation: RelId| mini.relations[relation.index()].lifetime;
                let is_apart = lifetime(rule.head.relation) != lifetime(atom.relation);
                if matches!(literal, Literal::Negative(_)) || is_apart {
                    known[atom.relation.index()] = None;
                }
            }
        }
        Demands { mini, known }
    }

    /// The arguments of an atom that are known.
    fn known_args<'a>(&self, atom: &'a Atom) -> Option<Vec<&'a Pattern>> {
        let known = self.known[atom.relation.index()].as_ref()?;
        Some(atom.args.iter().zip(known).filter(|&(_, &known)| known).map(|(arg, _)| arg).collect())
    }

    /// Arguments are known only if they are in every occurrence.
    fn settle(&mut self) {
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for rule in &self.mini.rules {
                let mut is_known = self.known_by_head(rule);
                for literal in &rule.body {
                    let Literal::Positive(atom) = literal else { continue };
                    let args = atom.args.iter().map(|arg| all_known(arg, &is_known)).collect::<Vec<bool>>();
                    if let Some(known) = &mut self.known[atom.relation.index()] {
                        for (known, now) in known.iter_mut().zip(args) {
                            is_changed |= *known && !now;
                            *known &= now;
                        }
                    }
                    self.learn(atom, &mut is_known);
                }
            }
            for known in &mut self.known {
                if known.as_ref().is_some_and(|known| !known.contains(&true)) {
                    *known = None;
                    is_changed = true;
                }
            }
        }
    }

    fn known_by_head(&self, rule: &Rule) -> Vec<bool> {
        let mut is_known = vec![false; rule.n_vars];
        for arg in self.known_args(&rule.head).into_iter().flatten() {
            arg.for_each_var(&mut |var| is_known[var as usize] = true);
        }
        is_known
    }

    /// What a literal tells of its variables. A permanent one alone tells nothing of the position.
    fn learn(&self, atom: &Atom, is_known: &mut [bool]) {
        let mut has_known = !is_permanent(self.mini, atom.relation);
        atom.args.iter().for_each(|arg| arg.for_each_var(&mut |var| has_known |= is_known[var as usize]));
        if has_known {
            atom.args.iter().for_each(|arg| arg.for_each_var(&mut |var| is_known[var as usize] = true));
        }
    }

    fn rewritten(&self) -> Mini {
        let mut mini = self.mini.clone();
        let mut demand_of = vec![None; mini.relations.len()];
        for (at, known) in self.known.iter().enumerate() {
            if let Some(known) = known {
                let Relation { name, lifetime, .. } = &self.mini.relations[at];
                demand_of[at] = Some(RelId::new(mini.relations.len()));
                mini.relations.push(Relation {
                    name: format!("{name} (demand)"),
                    arity: known.iter().filter(|&&known| known).count(),
                    lifetime: *lifetime,
                });
            }
        }
        let demand = |atom: &Atom| {
            let args = self.known_args(atom)?.into_iter().cloned().collect();
            Some(Atom { relation: demand_of[atom.relation.index()]?, args })
        };
        let mut rules = Vec::new();
        for rule in &self.mini.rules {
            let own = demand(&rule.head);
            let mut before: Vec<Literal> = own.iter().cloned().map(Literal::Positive).collect();
            for literal in &rule.body {
                if let Literal::Positive(atom) = literal {
                    if let Some(head) = demand(atom).filter(|head| !is_same(own.as_ref(), head)) {
                        rules.push(Rule { head, body: before.clone(), ..rule.clone() });
                    }
                    before.push(literal.clone());
                }
            }
            let body = own.into_iter().map(Literal::Positive).chain(rule.body.iter().cloned()).collect();
            rules.push(Rule { body, ..rule.clone() });
        }
        mini.rules = rules;
        mini
    }
}

fn all_known(pattern: &Pattern, is_known: &[bool]) -> bool {
    let mut all = true;
    pattern.for_each_var(&mut |var| all &= is_known[var as usize]);
    all
}

fn is_same(own: Option<&Atom>, other: &Atom) -> bool {
    own.is_some_and(|own| own.relation == other.relation && own.args == other.args)
}

/// Relations that now use each other are derived together. Says whether none of them is negated meanwhile.
fn unite_strata(mini: &mut Mini, n_before: usize) -> bool {
    let edges = mini.rules.iter().flat_map(|rule| {
        let used = rule.body.iter().filter_map(Literal::atom);
        used.map(|atom| (rule.head.relation.index(), atom.relation.index()))
    });
    let components = Graph::new(mini.relations.len(), edges).components();
    let mut component_of = vec![0; mini.relations.len()];
    let mut has_demand = Vec::new();
    for (at, members) in components.members().enumerate() {
        members.iter().for_each(|&member| component_of[member] = at);
        has_demand.push(members.iter().any(|&member| member >= n_before));
    }
    for rule in &mut mini.rules {
        let own = component_of[rule.head.relation.index()];
        if has_demand[own] {
            let is_negated = |literal: &Literal| matches!(literal, Literal::Negative(atom) if component_of[atom.relation.index()] == own);
            if rule.body.iter().any(is_negated) {
                return false;
            }
            rule.stratum = 0;
        }
    }
    true
}
