//! The chase: facts that hold together in one state, and what follows from them.

use super::arena::{Arena, Args, Contradiction, Mark, Node, Span, Top};
use super::candidates::{Assumptions, CandidateId};
use super::domains::Domains;
use super::lemma::Lemma;
use super::tables::{MAX_POSITIONS, Positions, Tables, all_positions};
use super::template::{LiteralTemplate, Sign, Templates};
use hashbrown::HashMap;
use senet_analysis::RelationId;
use senet_ids::Symbol;
use std::rc::Rc;

/// What the chase knows of a relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    True,
    Does,
    /// All its rows are known.
    Table,
    /// It holds exactly if the body of one of its rules does.
    Rules,
    /// Nothing.
    Opaque,
}

/// What stays the same in every chase of a program.
#[derive(Debug)]
pub(super) struct World<'p> {
    pub(super) templates: &'p Templates,
    pub(super) classes: &'p [Class],
    pub(super) domains: &'p Domains,
    pub(super) role: RelationId,
    pub(super) legal: RelationId,
    pub(super) terminal: RelationId,
}

/// A literal that holds. Its arguments are in the arena.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact {
    pub(super) sign: Sign,
    pub(super) relation: RelationId,
    /// What is known of the relation; nothing for [`Sign::Distinct`].
    pub(super) class: Class,
    pub(super) args: Span,
    /// How many rules led here.
    pub(super) depth: u8,
    /// Whether nothing more is to be learnt from it alone.
    pub(super) is_spent: bool,
    /// How many rows of the table agree, if few do.
    pub(super) n_cases: u8,
    /// Among how many rules common conditions were looked for.
    pub(super) common_to: u8,
    /// Of a fluent: the arguments that are known to be in their domains, as bits.
    pub(super) in_domain: Positions,
    /// What was bound when the table was asked last.
    pub(super) asked: u64,
}

impl Fact {
    /// A literal of a rule whose arguments begin there.
    pub(super) fn new(literal: &LiteralTemplate, first_arg: u32, depth: u8) -> Self {
        Self {
            sign: literal.sign,
            relation: literal.relation,
            class: literal.class,
            args: Span { first: first_arg + literal.first_arg, len: literal.n_args },
            depth,
            is_spent: false,
            n_cases: 0,
            common_to: 0,
            in_domain: 0,
            asked: 0,
        }
    }

    /// Whether it says that a fluent does not hold.
    #[inline]
    pub(super) fn denies_fluent(&self) -> bool {
        self.sign == Sign::Negative && self.class == Class::True
    }

    /// Whether it says that the relation holds of its arguments.
    #[inline]
    pub(super) fn is_given(&self, relation: RelationId) -> bool {
        self.relation == relation && self.sign == Sign::Positive
    }
}

/// Facts that are assumed to hold together, and terms that are to be proved equal.
#[derive(Debug)]
pub(super) struct Chase<'p, 'f> {
    pub(super) world: &'p World<'p>,
    pub(super) tables: Tables<'f>,
    pub(super) arena: Arena<'f>,
    pub(super) facts: Vec<Fact>,
    /// The facts to return to, of all cases that are open.
    pub(super) saved: Vec<Fact>,
    pub(super) wanted: Vec<(Node, Node)>,
    /// What was found out about recursive relations.
    pub(super) lemmas: HashMap<RelationId, Option<Rc<Lemma>>, foldhash::fast::RandomState>,
    /// The assumptions that were used.
    pub(super) used: Vec<CandidateId>,
}

/// The fluents whose dependency is to be proved, and the positions they agree on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    pub(super) name: Symbol,
    pub(super) arity: usize,
    pub(super) key: Positions,
}

impl<'p, 'f> Chase<'p, 'f> {
    pub(super) fn new(world: &'p World<'p>, tables: Tables<'f>, arena: Arena<'f>) -> Self {
        Self {
            world,
            tables,
            arena,
            facts: Vec::new(),
            saved: Vec::new(),
            wanted: Vec::new(),
            lemmas: HashMap::default(),
            used: Vec::new(),
        }
    }

    /// Begins with two rules for `next` that conclude fluents which agree on a key.
    pub(super) fn begin(&mut self, claim: Claim, rules: [usize; 2]) -> Result<(), Contradiction> {
        self.arena.clear();
        self.facts.clear();
        self.saved.clear();
        self.wanted.clear();
        let mut fluents = [Span { first: 0, len: 0 }; 2];
        for (args, rule) in fluents.iter_mut().zip(rules) {
            let first_arg = self.arena.instantiate(self.world.templates, self.world.templates.rule(rule));
            let fluent = self.arena.next_node();
            *args = self.arena.pattern(claim.name, claim.arity);
            self.arena.unify(self.arena.args[first_arg as usize], fluent)?;
            self.add_body(rule, first_arg, 0);
        }
        for at in 0..claim.arity {
            let [left, right] = fluents.map(|args| self.arena.args[args.first as usize + at]);
            if claim.key >> at & 1 == 1 {
                self.arena.unify(left, right)?;
            } else {
                self.wanted.push((left, right));
            }
        }
        Ok(())
    }

    /// Adds the body of a rule whose arguments begin there.
    pub(super) fn add_body(&mut self, rule: usize, first_arg: u32, depth: u8) {
        let world = self.world;
        for literal in world.templates.literals_of(rule) {
            let mut fact = Fact::new(literal, first_arg, depth);
            self.facts.push(fact);
            // Whoever does something is a role, and the move is legal.
            if fact.class == Class::Does && fact.sign == Sign::Positive {
                (fact.relation, fact.class) = (world.legal, world.classes[world.legal.index()]);
                self.facts.push(fact);
                (fact.relation, fact.class) = (world.role, world.classes[world.role.index()]);
                fact.args.len = 1;
                self.facts.push(fact);
            }
        }
    }

    #[inline]
    pub(super) fn fact_arg(&self, fact: &Fact, at: usize) -> Node {
        self.arena.args[fact.args.first as usize + at]
    }

    /// Returns to the facts that were saved from there on.
    pub(super) fn undo(&mut self, mark: Mark, first_saved: usize) {
        self.arena.undo(mark);
        self.facts.clear();
        self.facts.extend_from_slice(&self.saved[first_saved..]);
    }

    /// Whether all that was wanted is proved.
    pub(super) fn is_proved(&mut self) -> bool {
        let Self { arena, wanted, .. } = self;
        wanted.iter().all(|&(left, right)| arena.equal(left, right))
    }

    /// Draws conclusions about equality until there are no more.
    pub(super) fn saturate(&mut self, assumptions: &Assumptions) -> Result<(), Contradiction> {
        loop {
            let mut changed = false;
            self.arena.burn(self.facts.len());
            for at in 0..self.facts.len() {
                let Fact { sign: Sign::Positive, class, .. } = self.facts[at] else { continue };
                match class {
                    Class::True => changed |= self.merge_fluents(at, assumptions)?,
                    Class::Does => changed |= self.merge_moves(at)?,
                    Class::Table => changed |= self.merge_rows(at)? | self.look_up(at)?,
                    Class::Rules | Class::Opaque => {}
                }
            }
            if !changed || self.arena.fuel == 0 {
                return Ok(());
            }
        }
    }

    fn merge_fluents(&mut self, at: usize, assumptions: &Assumptions) -> Result<bool, Contradiction> {
        let fluent = self.arena.find(self.fact_arg(&self.facts[at], 0));
        let Top::Application(name, args) = self.arena.top(fluent) else { return Ok(false) };
        let arity = args.len();
        self.check_domains(at, name, args)?;
        let Some(functor) = assumptions.find(name, arity) else { return Ok(false) };
        let mut changed = false;
        let relation = self.facts[at].relation;
        for other in 0..at {
            let other = &self.facts[other];
            if !other.is_given(relation) {
                continue;
            }
            let other = self.arena.find(self.arena.args[other.args.first as usize]);
            let others = match self.arena.top(other) {
                Top::Application(same, others) if same == name && others.len() == arity => others,
                _ => continue,
            };
            for candidate in &functor.assumed {
                let is_key = |place: &usize| candidate.key >> place & 1 == 1;
                let agree = (0..arity).filter(is_key).all(|place| {
                    self.arena.equal(self.arena.arg(args, place), self.arena.arg(others, place))
                });
                if agree {
                    self.used.push(candidate.id);
                    for place in 0..arity {
                        changed |=
                            self.arena.unify(self.arena.arg(args, place), self.arena.arg(others, place))?;
                    }
                    break;
                }
            }
        }
        Ok(changed)
    }

    /// The arguments of a fluent have values that some rule gives them.
    fn check_domains(&mut self, at: usize, name: Symbol, args: Args<'f>) -> Result<(), Contradiction> {
        if args.len() <= MAX_POSITIONS && self.facts[at].in_domain == all_positions(args.len()) {
            return Ok(());
        }
        let domains = self.world.domains.of_fluent(name, args.len());
        for place in 0..args.len() {
            let bit = 1u32.checked_shl(place as u32).unwrap_or(0);
            if self.facts[at].in_domain & bit != 0 {
                continue;
            }
            let arg = self.arena.find(self.arena.arg(args, place));
            if self.arena.is_known(arg) {
                if domains.at(place).values().is_some_and(|values| !values.contains(&arg)) {
                    return Err(Contradiction);
                }
                self.facts[at].in_domain |= bit;
            }
        }
        Ok(())
    }

    /// A role does one move.
    fn merge_moves(&mut self, at: usize) -> Result<bool, Contradiction> {
        let fact = self.facts[at];
        let mut changed = false;
        for other in 0..at {
            let other = self.facts[other];
            if other.is_given(fact.relation)
                && self.arena.equal(self.fact_arg(&fact, 0), self.fact_arg(&other, 0))
            {
                changed |= self.arena.unify(self.fact_arg(&fact, 1), self.fact_arg(&other, 1))?;
            }
        }
        Ok(changed)
    }
}
