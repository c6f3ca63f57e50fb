//! Functional dependencies between the arguments of fluents, proved from the rules as written.
//!
//! `(true (cell ?x ?y ?c))`: the coordinates determine the content; `(true (control ?p))`: one at most.
//! That it is so at the start is seen in the initial state. That it stays so is proved for all
//! dependencies at once: assuming them in one state, the bodies of any two rules for `next` whose fluents
//! agree on a key are chased, that is, everything that follows about the equality of their terms is
//! concluded, until the fluents are the same or the bodies contradict each other. What cannot be proved is
//! given up for something weaker, and what was proved with it is proved anew.

mod arena;
mod template;
mod index;
mod tables;
mod functors;
mod domain;
mod domains;
mod candidates;
mod chase;
mod rows;
mod refute;
mod common;
mod lemma;
mod split;
#[cfg(test)]
pub(crate) mod naive;
#[cfg(test)]
mod tests;

use arena::Arena;
use candidates::{Assumptions, Candidate, CandidateId};
use chase::{Chase, Claim, Class, World};
use domains::Domains;
use senet_analysis::{Dependence, Program, RelationId};
use senet_gdl::{Keyword, TermKind};
use senet_ids::Symbol;
use senet_terms::Terms;
use tables::Tables;
use template::Templates;

/// How many comparisons a proof may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    all: u64,
    /// For one pair of rules.
    pair: u64,
}

impl Effort {
    /// What takes little time beside grounding a small game.
    pub(crate) fn little(program: &Program) -> Effort {
        const FUEL: u64 = 10_000;
        const FUEL_PER_RULE: u64 = 200;
        const MOST: u64 = 100_000;
        Effort { all: (FUEL + FUEL_PER_RULE * program.rules().len() as u64).min(MOST), pair: FUEL }
    }

    /// What takes little time beside that for so many ground rules; `None` if that is not much more.
    pub(crate) fn beside(program: &Program, n_ground_rules: usize) -> Option<Effort> {
        const FUEL_PER_RULE: u64 = 24;
        const MOST: u64 = 600_000;
        const OF_PAIR: u64 = 50_000;
        let all = (FUEL_PER_RULE * n_ground_rules as u64).min(MOST);
        (all >= 2 * Effort::little(program).all).then_some(Effort { all, pair: OF_PAIR })
    }
}

/// What was proved.
#[derive(Default)]
pub(crate) struct Proved {
    /// By functor. None follows from another.
    pub(crate) dependencies: Vec<Dependency>,
    /// Whether more effort may prove more.
    pub(crate) is_cut_short: bool,
}

/// In every state that can be reached, no two fluents of this name and number of arguments agree at the key
/// and differ elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Dependency {
    /// The name of the fluents.
    pub(crate) functor: Symbol,
    /// Their number of arguments.
    pub(crate) arity: usize,
    /// Positions of arguments, in order; none if there is one such fluent at most.
    pub(crate) key: Vec<usize>,
}

impl Dependency {
    /// Whether the other follows from this one.
    pub(crate) fn implies(&self, other: &Dependency) -> bool {
        (self.functor, self.arity) == (other.functor, other.arity)
            && self.key.iter().all(|place| other.key.contains(place))
    }
}

/// All facts of a static relation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StaticRows<'f> {
    /// How many there are.
    pub(crate) n_rows: usize,
    /// Their arguments, row by row, as numbers of [`StaticFacts::terms`].
    pub(crate) values: &'f [u32],
}

/// What is the same in every state.
pub(crate) trait StaticFacts {
    /// The terms that facts are made of. The constants are the symbols of the program.
    fn terms(&self) -> &Terms;

    /// All facts of a relation; `None` if it is not static, or not evaluated. `role` and `init` count as
    /// static also if a rulesheet makes them look otherwise.
    fn rows(&self, relation: RelationId) -> Option<StaticRows<'_>>;
}

/// The dependencies that can be proved.
pub(crate) fn prove(program: &Program, statics: &impl StaticFacts, effort: Effort) -> Proved {
    try_prove(program, statics, effort).unwrap_or_default()
}

fn try_prove(program: &Program, statics: &impl StaticFacts, effort: Effort) -> Option<Proved> {
    let reserved = |keyword| program.reserved(keyword);
    let [r#true, does] = [reserved(Keyword::True)?, reserved(Keyword::Does)?];
    let [init, next] = [reserved(Keyword::Init)?, reserved(Keyword::Next)?];
    let [role, legal, terminal] =
        [reserved(Keyword::Role)?, reserved(Keyword::Legal)?, reserved(Keyword::Terminal)?];
    // Rules for these add to the position and to the moves, and then nothing of what follows is certain.
    if program.relation(r#true).is_defined || program.relation(does).is_defined {
        return None;
    }
    // While these are derived no `does` holds: what depends on it means something else there.
    let without_moves = [legal, terminal, reserved(Keyword::Goal)?];
    if without_moves.iter().any(|&relation| program.relation(relation).dependence == Dependence::Move) {
        return None;
    }
    if statics.terms().n_terms() < program.symbols().len() {
        return None;
    }
    statics.rows(init)?;
    let tables = Tables::new(program, statics);
    let classes: Vec<Class> = (0..program.relations().len())
        .map(|at| match RelationId::new(at) {
            relation if relation == r#true => Class::True,
            relation if relation == does => Class::Does,
            relation if relation == next || relation == legal => Class::Rules,
            relation if tables.is_known(relation) => Class::Table,
            relation => match program.relation(relation).keyword {
                Some(Keyword::Role | Keyword::Init | Keyword::Base | Keyword::Input) => Class::Opaque,
                _ => Class::Rules,
            },
        })
        .collect();
    let templates = Templates::new(program, &classes)?;
    let assumptions = Assumptions::new(program, next, compound_fluents(statics, init));
    let domains = Domains::new(program, &classes, &tables, compound_fluents(statics, init))?;
    let world = World { templates: &templates, classes: &classes, domains: &domains, role, legal, terminal };
    let chase = Chase::new(&world, tables, Arena::new(statics.terms()));
    let rules = assumptions.functors.iter().map(|functor| next_rules(program, next, &templates, functor));
    let induction = Induction {
        rules: rules.collect(),
        last_failure: Vec::new(),
        chase,
        assumptions,
        proofs: Vec::new(),
        fuel: effort.all,
        fuel_of_pair: effort.pair,
        is_cut_short: false,
    };
    Some(induction.run())
}

/// The fluents of the initial state that have arguments.
fn compound_fluents(statics: &impl StaticFacts, init: RelationId) -> impl Iterator<Item = (Symbol, &[u32])> {
    let terms = statics.terms();
    let fluents = statics.rows(init).map_or(&[][..], |rows| rows.values);
    fluents.iter().filter_map(|&fluent| terms.application(fluent))
}

/// The rules that can conclude fluents of a functor.
fn next_rules(
    program: &Program,
    next: RelationId,
    templates: &Templates,
    functor: &candidates::Functor,
) -> Vec<usize> {
    let rules = program.rules_of(next).iter().zip(templates.rules_of(next));
    let concludes = rules.filter(|(rule, _)| match rule.head.args.first().map(|fluent| &fluent.kind) {
        Some(TermKind::Function(name, args)) => *name == functor.name && args.len() == functor.arity,
        Some(TermKind::Constant(_)) => false,
        Some(TermKind::Variable(_)) | None => true,
    });
    concludes.map(|(_, at)| at).collect()
}

/// The proof of all dependencies at once.
struct Induction<'p, 'f> {
    chase: Chase<'p, 'f>,
    assumptions: Assumptions,
    /// The rules for `next`, by functor.
    rules: Vec<Vec<usize>>,
    /// The pair of rules that refuted the last candidate of a functor: it is likely to refute the next.
    last_failure: Vec<Option<[usize; 2]>>,
    /// What was used to prove each candidate; `None` as long as it is not proved.
    proofs: Vec<Option<Vec<CandidateId>>>,
    fuel: u64,
    fuel_of_pair: u64,
    is_cut_short: bool,
}

impl Induction<'_, '_> {
    fn run(mut self) -> Proved {
        self.last_failure = vec![None; self.rules.len()];
        while let Some((functor, candidate)) = self.unproved() {
            self.chase.used.clear();
            if self.is_kept(functor, candidate) {
                let mut used = std::mem::take(&mut self.chase.used);
                used.sort_unstable();
                used.dedup();
                self.proofs[candidate.id.index()] = Some(used);
            } else {
                if self.fuel > 0 {
                    self.assumptions.weaken(functor, candidate);
                } else {
                    self.assumptions.abandon(functor, candidate);
                }
                for proof in &mut self.proofs {
                    if proof.as_ref().is_some_and(|used| used.binary_search(&candidate.id).is_ok()) {
                        *proof = None;
                    }
                }
            }
        }
        Proved { dependencies: self.dependencies(), is_cut_short: self.is_cut_short }
    }

    /// The next candidate to prove. Fluents with few arguments come first: they are cheap and much used.
    fn unproved(&mut self) -> Option<(usize, Candidate)> {
        self.proofs.resize(self.assumptions.n_candidates(), None);
        self.fuel = self.fuel.saturating_sub(self.proofs.len() as u64 / 8);
        let functors = self.assumptions.functors.iter().enumerate();
        functors
            .flat_map(|(at, functor)| functor.assumed.iter().map(move |&candidate| (at, candidate)))
            .filter(|(_, candidate)| self.proofs[candidate.id.index()].is_none())
            .min_by_key(|&(at, _)| self.assumptions.functors[at].arity)
    }

    /// Whether the dependency holds in the next state if all that is assumed holds in this one.
    fn is_kept(&mut self, functor: usize, candidate: Candidate) -> bool {
        let rules = std::mem::take(&mut self.rules[functor]);
        let failure = self.failure(functor, candidate, &rules);
        self.rules[functor] = rules;
        if failure.is_some() {
            self.last_failure[functor] = failure;
        }
        failure.is_none()
    }

    fn failure(&mut self, functor: usize, candidate: Candidate, rules: &[usize]) -> Option<[usize; 2]> {
        if let Some(pair) = self.last_failure[functor]
            && !self.is_pair_kept(functor, candidate, pair)
        {
            return Some(pair);
        }
        let pairs = rules
            .iter()
            .enumerate()
            .flat_map(|(at, &left)| rules[at..].iter().map(move |&right| [left, right]));
        pairs.into_iter().find(|&pair| !self.is_pair_kept(functor, candidate, pair))
    }

    fn is_pair_kept(&mut self, functor: usize, candidate: Candidate, pair: [usize; 2]) -> bool {
        let Some(fuel) = self.fuel.checked_sub(1) else {
            self.is_cut_short = true;
            return false;
        };
        self.fuel = fuel;
        let candidates::Functor { name, arity, .. } = self.assumptions.functors[functor];
        let mut key = (0..arity).filter(|place| candidate.key >> place & 1 == 1);
        if key.any(|place| self.chase.world.templates.heads_differ(pair[0], pair[1], place)) {
            return true;
        }
        let fuel = self.fuel.min(self.fuel_of_pair);
        let claim = Claim { name, arity, key: candidate.key };
        let is_kept = self.chase.proves(claim, pair, &self.assumptions, fuel);
        self.fuel -= fuel - self.chase.arena.fuel;
        self.is_cut_short |= !is_kept && self.chase.arena.fuel == 0;
        is_kept
    }

    fn dependencies(&self) -> Vec<Dependency> {
        let mut found = Vec::new();
        for functor in &self.assumptions.functors {
            for candidate in &functor.assumed {
                let key = (0..functor.arity).filter(|place| candidate.key >> place & 1 == 1).collect();
                found.push(Dependency { functor: functor.name, arity: functor.arity, key });
            }
        }
        found
    }
}
