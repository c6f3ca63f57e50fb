//! Rules without variables, over dense atoms.

mod rule_store;
mod fact_sets;

pub use fact_sets::{base_facts, input_facts, set_sha1};
pub(crate) use fact_sets::{push_renamed, texts_of, texts_of_tables};
#[cfg(test)]
pub(crate) use rule_store::tests;
pub(crate) use rule_store::{RuleStore, Run};

use senet_analysis::RuleId;
use senet_ids::{Interner, Symbol};
use senet_terms::{TermId, Terms};
use std::ops::Range;

senet_ids::define_id! {
    /// A ground atom that depends on the state or on the moves.
    pub struct AtomId;
}

/// An atom or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

impl Lit {
    /// The literal that says an atom holds.
    #[inline]
    pub fn positive(atom: AtomId) -> Lit {
        Lit((atom.index() as u32) << 1)
    }

    /// The literal that says an atom does not hold.
    #[inline]
    pub fn negative(atom: AtomId) -> Lit {
        Lit((atom.index() as u32) << 1 | 1)
    }

    #[inline]
    pub(crate) fn code(self) -> u32 {
        self.0
    }

    /// The same of another atom.
    #[inline]
    pub(crate) fn with_atom(self, atom: AtomId) -> Lit {
        Lit((atom.index() as u32) << 1 | self.0 & 1)
    }

    /// The atom it speaks of.
    #[inline]
    pub fn atom(self) -> AtomId {
        AtomId::new((self.0 >> 1) as usize)
    }

    /// Whether it says that the atom does not hold.
    #[inline]
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }
}

/// What the atoms of a relation are for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Fluents: `true`. No rules conclude them unless the rulesheet has rules for `true`.
    True,
    /// Moves: `does`.
    Does,
    /// `next`, of the same fluents in the same order as `true`.
    Next,
    /// `legal`, of the same moves in the same order as `does`.
    Legal,
    /// `goal`.
    Goal,
    /// `terminal`.
    Terminal,
    /// A relation of the rulesheet.
    Derived,
    /// A part of a rule body that was given a name.
    Auxiliary,
}

/// The atoms of one relation: consecutive numbers.
#[derive(Clone, Debug)]
pub struct Block {
    /// What the relation is for.
    pub kind: Kind,
    /// Its name.
    pub name: Symbol,
    /// Its number of arguments.
    pub arity: usize,
    pub(crate) first: u32,
    pub(crate) len: u32,
    /// How many of its atoms may hold: the first ones. The others occur only negated.
    pub(crate) n_possible: u32,
    /// The arguments, row by row. Empty for `next` and `legal`, which use the rows of `true` and `does`.
    pub(crate) rows: Vec<u32>,
}

impl Block {
    /// Its atoms.
    pub fn atoms(&self) -> impl DoubleEndedIterator<Item = AtomId> + ExactSizeIterator + use<> {
        (self.first..self.first + self.len).map(|at| AtomId::new(at as usize))
    }
}

/// A ground rule: the head holds if all of the body does.
#[derive(Clone, Copy, Debug)]
pub struct GroundRule<'a> {
    /// What it concludes.
    pub head: AtomId,
    /// From what; static conditions are gone.
    pub body: &'a [Lit],
    /// The rule of the `Program` it is an instance of.
    pub origin: RuleId,
}

/// Fluents of which no two hold together in any state that can be reached and has not ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MutexGroup {
    /// The fluents, as atoms of `true`, in order.
    pub fluents: Vec<AtomId>,
    /// Whether always one of them holds.
    pub is_exactly_one: bool,
}

/// A game without variables.
#[derive(Clone, Debug)]
pub struct GroundProgram {
    pub(crate) symbols: Interner,
    pub(crate) terms: Terms,
    pub(crate) blocks: Vec<Block>,
    pub(crate) roles: Vec<TermId>,
    pub(crate) init: Vec<AtomId>,
    pub(crate) facts: Vec<AtomId>,
    pub(crate) rules: RuleStore,
    pub(crate) mutex_groups: Vec<MutexGroup>,
}

impl GroundProgram {
    /// The names of the rulesheet and of auxiliary relations.
    pub fn symbols(&self) -> &Interner {
        &self.symbols
    }

    /// The terms that atoms are made of.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The roles, in order.
    pub fn roles(&self) -> &[TermId] {
        &self.roles
    }

    /// The relations that have atoms, in the order of their atoms.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// How many atoms there are.
    pub fn n_atoms(&self) -> usize {
        self.blocks.last().map_or(0, |block| (block.first + block.len) as usize)
    }

    /// The relation of an atom.
    pub fn block_of(&self, atom: AtomId) -> &Block {
        let after = self.blocks.partition_point(|block| block.first as usize <= atom.index());
        // Empty blocks share their first number with the one that follows.
        &self.blocks[after - 1]
    }

    /// The atoms of a reserved relation; empty if there are none.
    pub fn atoms_of(&self, kind: Kind) -> Range<usize> {
        let found = self.blocks.iter().find(|block| block.kind == kind);
        found.map_or(0..0, |block| block.first as usize..(block.first + block.len) as usize)
    }

    fn possible_atoms_of(
        &self,
        kind: Kind,
    ) -> impl DoubleEndedIterator<Item = AtomId> + ExactSizeIterator + use<> {
        let found = self.blocks.iter().find(|block| block.kind == kind);
        let range =
            found.map_or(0..0, |block| block.first as usize..(block.first + block.n_possible) as usize);
        range.map(AtomId::new)
    }

    /// The arguments of an atom.
    pub fn args(&self, atom: AtomId) -> impl ExactSizeIterator<Item = TermId> + '_ {
        let block = self.block_of(atom);
        let rows = match block.kind {
            Kind::Next => self.rows_of(Kind::True),
            Kind::Legal => self.rows_of(Kind::Does),
            _ => &block.rows,
        };
        let at = (atom.index() - block.first as usize) * block.arity;
        rows[at..at + block.arity].iter().map(|&term| TermId::new(term as usize))
    }

    fn rows_of(&self, kind: Kind) -> &[u32] {
        self.blocks.iter().find(|block| block.kind == kind).map_or(&[], |block| &block.rows)
    }

    /// The fluents that can hold, as atoms of `true`: base.
    pub fn base(&self) -> impl DoubleEndedIterator<Item = AtomId> + ExactSizeIterator + use<> {
        self.possible_atoms_of(Kind::True)
    }

    /// The moves that can be legal, as atoms of `does`: input.
    pub fn input(&self) -> impl DoubleEndedIterator<Item = AtomId> + ExactSizeIterator + use<> {
        self.possible_atoms_of(Kind::Does)
    }

    /// The fluents as terms, in the order of the atoms of `true`.
    pub(crate) fn fluent_terms(&self) -> &[u32] {
        self.rows_of(Kind::True)
    }

    /// By move: the place of its role among the roles.
    pub(crate) fn roles_of_moves(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        let moves = self.blocks.iter().find(|block| block.kind == Kind::Does);
        let rows = moves.into_iter().flat_map(|block| block.rows.chunks_exact(block.arity.max(1)));
        rows.map(|row| self.roles.iter().position(|role| role.index() as u32 == row[0]))
    }

    /// `next` of the fluent of a `true` atom.
    pub fn next_of(&self, fluent: AtomId) -> AtomId {
        self.beside(fluent, Kind::True, Kind::Next)
    }

    /// `legal` of the move of a `does` atom.
    pub fn legal_of(&self, does: AtomId) -> AtomId {
        self.beside(does, Kind::Does, Kind::Legal)
    }

    fn beside(&self, atom: AtomId, from: Kind, to: Kind) -> AtomId {
        AtomId::new(atom.index() - self.atoms_of(from).start + self.atoms_of(to).start)
    }

    /// The fluents of the initial state, as atoms of `true`, in order.
    pub fn init(&self) -> &[AtomId] {
        &self.init
    }

    /// The atoms that hold in every state, in order.
    pub fn facts(&self) -> &[AtomId] {
        &self.facts
    }

    /// How many rules there are; facts are not among them.
    pub fn n_rules(&self) -> usize {
        self.rules.heads.len()
    }

    /// How many literals the bodies of all rules have.
    pub fn n_body_literals(&self) -> usize {
        self.rules.literals.len()
    }

    /// The rules, by stratum.
    pub fn rules(&self) -> impl Iterator<Item = GroundRule<'_>> {
        (0..self.strata().len()).flat_map(|stratum| self.rules_of_stratum(stratum))
    }

    /// The rules of each stratum, as ranges of rule numbers. A rule negates only atoms that earlier strata
    /// conclude, see [`Program::strata`](senet_analysis::Program::strata).
    pub fn strata(&self) -> Vec<Range<usize>> {
        let runs = &self.rules.runs;
        let mut strata: Vec<Range<usize>> = Vec::new();
        for (at, run) in runs.iter().enumerate() {
            let end = runs.get(at + 1).map_or(self.n_rules(), |next| next.first as usize);
            match strata.last_mut() {
                Some(last) if at > 0 && runs[at - 1].stratum == run.stratum => last.end = end,
                _ => strata.push(run.first as usize..end),
            }
        }
        strata
    }

    /// The rules of a stratum, in order.
    pub fn rules_of_stratum(&self, stratum: usize) -> impl Iterator<Item = GroundRule<'_>> {
        let range = self.strata()[stratum].clone();
        let runs = &self.rules.runs;
        let mut run = runs.partition_point(|run| run.first as usize <= range.start) - 1;
        range.map(move |at| {
            while runs.get(run + 1).is_some_and(|next| next.first as usize <= at) {
                run += 1;
            }
            GroundRule {
                head: AtomId::new(self.rules.heads[at] as usize),
                body: self.body(at),
                origin: runs[run].origin,
            }
        })
    }

    pub(crate) fn body(&self, rule: usize) -> &[Lit] {
        &self.rules.literals
            [self.rules.first_literal[rule] as usize..self.rules.first_literal[rule + 1] as usize]
    }

    /// Fluents that exclude each other.
    pub fn mutex_groups(&self) -> &[MutexGroup] {
        &self.mutex_groups
    }

    /// The canonical text of a term.
    pub fn term_text(&self, term: TermId) -> String {
        self.terms.text(&self.symbols, term.index() as u32)
    }

    /// Appends the canonical text of an atom, such as `(true (cell 1 1 b))`.
    pub fn write_atom(&self, out: &mut String, atom: AtomId) {
        let name = self.symbols.name(self.block_of(atom).name);
        let args = self.args(atom);
        if args.len() == 0 {
            out.push_str(name);
            return;
        }
        out.push('(');
        out.push_str(name);
        for arg in args {
            out.push(' ');
            self.terms.write(out, &self.symbols, arg);
        }
        out.push(')');
    }

    /// The memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        let rules = &self.rules;
        let rows: usize = self.blocks.iter().map(|block| block.rows.capacity() * 4).sum();
        let groups: usize = self.mutex_groups.iter().map(|group| group.fluents.capacity() * 4).sum();
        self.terms.bytes()
            + rows
            + groups
            + (self.init.capacity() + self.facts.capacity()) * 4
            + (rules.heads.capacity() + rules.first_literal.capacity() + rules.literals.capacity()) * 4
            + rules.runs.capacity() * size_of::<Run>()
    }
}
