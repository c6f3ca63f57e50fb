//! Which values arguments can have, where these are few: what rules conclude, without regard to anything
//! but the places of their variables.

use super::chase::Class;
use super::domain::Domain;
use super::functors::Functors;
use super::tables::Tables;
use senet_analysis::{Literal, Program, RelationId, Rule};
use senet_gdl::{Keyword, Term, TermKind, VarId};
use senet_ids::Symbol;
use std::ops::Range;

/// Published rulesheets need seven rounds at most.
const MAX_ROUNDS: usize = 32;

/// Compound terms whose arguments are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Whole {
    Fluent,
    Move,
}

/// The compound terms of one kind.
#[derive(Debug)]
struct Compounds {
    functors: Functors,
    /// Where the domains of the arguments of each functor begin.
    first: Vec<usize>,
    /// Whether there can be some of a shape that no rule shows.
    is_any: bool,
}

impl Compounds {
    fn new(n_symbols: usize) -> Self {
        Self { functors: Functors::new(n_symbols), first: Vec::new(), is_any: false }
    }
}

/// The domains of the arguments of relations, fluents and moves.
#[derive(Debug)]
pub(super) struct Domains {
    domains: Vec<Domain>,
    /// Where the arguments of each relation begin.
    first_of_relation: Vec<usize>,
    /// Fluents and moves.
    compounds: [Compounds; 2],
    reserved: [RelationId; 4],
}

/// The domains of the arguments of a fluent.
#[derive(Clone, Copy)]
pub(super) enum OfFluent<'d> {
    All(&'d Domain),
    Each(&'d [Domain]),
}

impl<'d> OfFluent<'d> {
    #[inline]
    pub(super) fn at(self, place: usize) -> &'d Domain {
        match self {
            OfFluent::All(domain) => domain,
            OfFluent::Each(domains) => &domains[place],
        }
    }
}

/// What a rule adds to a domain.
enum Flow {
    Constant(usize, u32),
    /// What all these sources have; anything without them.
    Sources(usize, Range<usize>),
    /// Nothing to a domain, but there can be terms of any shape.
    AnyShape(Whole),
}

/// A domain that the values of a variable are in, if it is known at all.
struct Source {
    domain: Option<usize>,
    /// Of an argument of such terms.
    whole: Option<Whole>,
}

/// In which round something changed last.
struct Changes {
    round: u32,
    of_domains: Vec<u32>,
    of_shapes: [u32; 2],
}

impl Changes {
    /// Whether a flow may bring something new, which it does not if all stays as it was a round ago.
    fn concern(&self, flow: &Flow, sources: &[Source]) -> bool {
        let Flow::Sources(_, from) = flow else { return false };
        sources[from.clone()].iter().any(|source| {
            source.domain.is_some_and(|at| self.of_domains[at] + 1 >= self.round)
                || source.whole.is_some_and(|whole| self.of_shapes[whole as usize] + 1 >= self.round)
        })
    }
}

impl Domains {
    /// `None` if a reserved relation is missing, which no program lacks.
    pub(super) fn new<'t>(
        program: &Program,
        classes: &[Class],
        tables: &Tables<'_>,
        init: impl Iterator<Item = (Symbol, &'t [u32])>,
    ) -> Option<Self> {
        let reserved = |keyword| program.reserved(keyword);
        let n_symbols = program.symbols().len();
        let mut all = Self {
            domains: Vec::new(),
            first_of_relation: Vec::with_capacity(classes.len()),
            compounds: [(); 2].map(|()| Compounds::new(n_symbols)),
            reserved: [
                reserved(Keyword::True)?,
                reserved(Keyword::Does)?,
                reserved(Keyword::Next)?,
                reserved(Keyword::Legal)?,
            ],
        };
        let role = reserved(Keyword::Role)?;
        for (relation, &class) in program.relations().iter().zip(classes) {
            let id = RelationId::new(all.first_of_relation.len());
            all.first_of_relation.push(all.domains.len());
            all.domains.extend((0..relation.arity).map(|at| match class {
                Class::Table => column(tables, id, at),
                Class::Rules => Domain::NONE,
                Class::Does if at == 0 && tables.is_known(role) => column(tables, role, 0),
                Class::True | Class::Does | Class::Opaque => Domain::ANY,
            }));
        }
        for (name, args) in init {
            let first = all.compound(Whole::Fluent, name, args.len());
            for (at, &value) in args.iter().enumerate() {
                all.domains[first + at].add(value);
            }
        }
        let rules =
            || program.rules().iter().filter(|rule| classes[rule.head.relation.index()] == Class::Rules);
        rules().for_each(|rule| all.add_compounds(rule));
        let (mut flows, mut sources) = (Vec::new(), Vec::new());
        rules().for_each(|rule| all.add_flows(rule, &mut flows, &mut sources));
        let mut changes = Changes { round: 0, of_domains: vec![0; all.domains.len()], of_shapes: [0; 2] };
        for round in 1..=MAX_ROUNDS as u32 {
            changes.round = round;
            if !flows.iter().fold(false, |changed, flow| all.follow(flow, &sources, &mut changes) | changed) {
                return Some(all);
            }
        }
        all.compounds[Whole::Fluent as usize].is_any = true;
        Some(all)
    }

    /// The domains of the arguments of fluents of this name and number of arguments.
    pub(super) fn of_fluent(&self, name: Symbol, arity: usize) -> OfFluent<'_> {
        let fluents = &self.compounds[Whole::Fluent as usize];
        if fluents.is_any {
            return OfFluent::All(&Domain::ANY);
        }
        match fluents.functors.find(name, arity) {
            Some(at) => OfFluent::Each(&self.domains[fluents.first[at]..][..arity]),
            None => OfFluent::All(&Domain::NONE),
        }
    }

    fn compound(&mut self, whole: Whole, name: Symbol, arity: usize) -> usize {
        let compounds = &mut self.compounds[whole as usize];
        let (number, is_new) = compounds.functors.number(name, arity);
        if is_new {
            compounds.first.push(self.domains.len());
            self.domains.extend(std::iter::repeat_n(Domain::NONE, arity));
        }
        compounds.first[number]
    }

    /// The fluent or move that a rule concludes.
    fn concluded<'r>(&self, rule: &'r Rule) -> Option<(Whole, &'r Term)> {
        let [_, _, next, legal] = self.reserved;
        match rule.head.relation {
            relation if relation == next => rule.head.args.first().map(|fluent| (Whole::Fluent, fluent)),
            relation if relation == legal => rule.head.args.get(1).map(|r#move| (Whole::Move, r#move)),
            _ => None,
        }
    }

    fn add_compounds(&mut self, rule: &Rule) {
        if let Some((whole, Term { kind: TermKind::Function(name, args), .. })) = self.concluded(rule) {
            self.compound(whole, *name, args.len());
        }
    }

    /// Adds what a rule concludes of its arguments and of those of a fluent or move.
    fn add_flows(&mut self, rule: &Rule, flows: &mut Vec<Flow>, sources: &mut Vec<Source>) {
        let [r#true, _, next, _] = self.reserved;
        if rule.head.relation != next {
            let first = self.first_of_relation[rule.head.relation.index()];
            self.add_flows_of(rule, first, &rule.head.args, flows, sources);
        }
        let Some((whole, term)) = self.concluded(rule) else { return };
        match &term.kind {
            TermKind::Constant(_) => {}
            TermKind::Function(name, args) => {
                let first = self.compound(whole, *name, args.len());
                self.add_flows_of(rule, first, args, flows, sources);
            }
            TermKind::Variable(variable) => {
                let is_kept = whole == Whole::Fluent
                    && rule.body.iter().any(|literal| {
                        matches!(literal, Literal::Positive(atom)
                            if atom.relation == r#true && atom.args.iter().all(|arg| is(arg, *variable)))
                    });
                if !is_kept {
                    flows.push(Flow::AnyShape(whole));
                }
            }
        }
    }

    fn add_flows_of(
        &self,
        rule: &Rule,
        first: usize,
        args: &[Term],
        flows: &mut Vec<Flow>,
        sources: &mut Vec<Source>,
    ) {
        for (to, arg) in (first..).zip(args) {
            let first_source = sources.len();
            match &arg.kind {
                TermKind::Constant(symbol) => {
                    flows.push(Flow::Constant(to, symbol.index() as u32));
                    continue;
                }
                TermKind::Variable(variable) => self.add_sources(rule, *variable, sources),
                TermKind::Function(..) => {}
            }
            flows.push(Flow::Sources(to, first_source..sources.len()));
        }
    }

    /// The places that restrain a variable of a rule.
    fn add_sources(&self, rule: &Rule, variable: VarId, sources: &mut Vec<Source>) {
        let [r#true, does, ..] = self.reserved;
        for literal in &rule.body {
            let Literal::Positive(atom) = literal else { continue };
            let first = self.first_of_relation[atom.relation.index()];
            for (at, arg) in (first..).zip(&atom.args) {
                if is(arg, variable) && !self.domains[at].is_any() {
                    sources.push(Source { domain: Some(at), whole: None });
                }
            }
            let whole = match atom.relation {
                relation if relation == r#true => atom.args.first().map(|fluent| (Whole::Fluent, fluent)),
                relation if relation == does => atom.args.get(1).map(|r#move| (Whole::Move, r#move)),
                _ => None,
            };
            if let Some((whole, Term { kind: TermKind::Function(name, args), .. })) = whole {
                let compounds = &self.compounds[whole as usize];
                let first = compounds.functors.find(*name, args.len()).map(|at| compounds.first[at]);
                for at in (0..args.len()).filter(|&at| is(&args[at], variable)) {
                    sources.push(Source { domain: first.map(|first| first + at), whole: Some(whole) });
                }
            }
        }
    }

    /// Adds what is new. Says whether something is.
    fn follow(&mut self, flow: &Flow, sources: &[Source], changes: &mut Changes) -> bool {
        let (to, is_new) = match flow {
            _ if changes.round > 1 && !changes.concern(flow, sources) => return false,
            Flow::AnyShape(whole) => {
                changes.of_shapes[*whole as usize] = changes.round;
                return !std::mem::replace(&mut self.compounds[*whole as usize].is_any, true);
            }
            Flow::Constant(to, value) => (*to, self.domains[*to].add(*value)),
            Flow::Sources(to, _) if self.domains[*to].is_any() => return false,
            Flow::Sources(to, from) => {
                let mut domain = Domain::ANY;
                sources[from.clone()].iter().for_each(|source| domain.meet(self.of_source(source)));
                (*to, self.domains[*to].add_all(&domain))
            }
        };
        if is_new {
            changes.of_domains[to] = changes.round;
        }
        is_new
    }

    fn of_source(&self, source: &Source) -> &Domain {
        if source.whole.is_some_and(|whole| self.compounds[whole as usize].is_any) {
            return &Domain::ANY;
        }
        source.domain.map_or(&Domain::NONE, |at| &self.domains[at])
    }
}

fn is(term: &Term, variable: VarId) -> bool {
    matches!(term.kind, TermKind::Variable(other) if other == variable)
}

/// The values in a column of a table.
fn column(tables: &Tables<'_>, relation: RelationId, at: usize) -> Domain {
    let mut domain = Domain::NONE;
    for row in tables.rows(relation) {
        domain.add(row[at]);
        if domain.is_any() {
            break;
        }
    }
    domain
}
