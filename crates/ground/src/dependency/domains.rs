//! Which values arguments can have, where these are few: what rules conclude, without regard to anything
//! but the places of their variables.

use super::chase::Class;
use super::tables::Tables;
use hashbrown::HashMap;
use senet_analysis::{Atom, Literal, Program, RelationId, Rule};
use senet_gdl::{Keyword, Term, TermKind, VarId};
use senet_ids::Symbol;

/// Published rulesheets need seven rounds at most.
const MAX_ROUNDS: usize = 32;
/// Arguments with more values than this may have any.
const MAX_VALUES: usize = 16;

/// A few terms, or any.
#[derive(Clone, Copy, Debug)]
pub(super) struct Domain {
    is_any: bool,
    n_values: u8,
    values: [u32; MAX_VALUES],
}

impl Domain {
    const NONE: Domain = Domain { is_any: false, n_values: 0, values: [0; MAX_VALUES] };
    const ANY: Domain = Domain { is_any: true, ..Domain::NONE };

    /// The values, unless it may be any.
    pub(super) fn values(&self) -> Option<&[u32]> {
        (!self.is_any).then(|| &self.values[..self.n_values as usize])
    }

    /// Adds a value. Says whether it is new.
    fn add(&mut self, value: u32) -> bool {
        if self.values().is_none_or(|values| values.contains(&value)) {
            return false;
        }
        match self.values.get_mut(self.n_values as usize) {
            Some(place) => {
                *place = value;
                self.n_values += 1;
            }
            None => self.is_any = true,
        }
        true
    }

    fn add_all(&mut self, other: &Domain) -> bool {
        match other.values() {
            Some(values) => values.iter().fold(false, |changed, &value| self.add(value) | changed),
            None => !std::mem::replace(&mut self.is_any, true),
        }
    }

    fn meet(&self, other: &Domain) -> Domain {
        let (Some(values), Some(others)) = (self.values(), other.values()) else {
            return if self.is_any { *other } else { *self };
        };
        let mut meet = Domain::NONE;
        values.iter().filter(|value| others.contains(value)).for_each(|&value| {
            meet.add(value);
        });
        meet
    }
}

/// Compound terms whose arguments are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Whole {
    Fluent,
    Move,
}

/// The domains of the arguments of relations, fluents and moves.
#[derive(Debug)]
pub(super) struct Domains {
    domains: Vec<Domain>,
    /// Where the arguments of each relation begin.
    first_of_relation: Vec<usize>,
    first_of_compound: HashMap<(Whole, Symbol, usize), usize, foldhash::fast::RandomState>,
    /// Whether fluents and moves can be of a shape that no rule shows.
    is_any: [bool; 2],
    reserved: [RelationId; 4],
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
        let mut all = Self {
            domains: Vec::new(),
            first_of_relation: Vec::new(),
            first_of_compound: HashMap::default(),
            is_any: [false; 2],
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
        let rules: Vec<&Rule> = program
            .rules()
            .iter()
            .filter(|rule| classes[rule.head.relation.index()] == Class::Rules)
            .collect();
        for _ in 0..MAX_ROUNDS {
            if !rules.iter().fold(false, |changed, rule| all.conclude(rule) | changed) {
                return Some(all);
            }
        }
        all.domains.fill(Domain::ANY);
        all.is_any = [true; 2];
        Some(all)
    }

    /// The domain of an argument of fluents of this name and number of arguments.
    pub(super) fn of_fluent(&self, name: Symbol, arity: usize, at: usize) -> Domain {
        self.of_compound(Whole::Fluent, name, arity, at)
    }

    fn of_compound(&self, whole: Whole, name: Symbol, arity: usize, at: usize) -> Domain {
        if self.is_any[whole as usize] {
            return Domain::ANY;
        }
        self.first_of_compound
            .get(&(whole, name, arity))
            .map_or(Domain::NONE, |first| self.domains[first + at])
    }

    fn compound(&mut self, whole: Whole, name: Symbol, arity: usize) -> usize {
        *self.first_of_compound.entry((whole, name, arity)).or_insert_with(|| {
            self.domains.extend(std::iter::repeat_n(Domain::NONE, arity));
            self.domains.len() - arity
        })
    }

    /// Adds what a rule concludes. Says whether something is new.
    fn conclude(&mut self, rule: &Rule) -> bool {
        let [_, _, next, legal] = self.reserved;
        let Atom { relation, args, .. } = &rule.head;
        if *relation == next {
            return args.first().is_some_and(|fluent| self.conclude_whole(rule, Whole::Fluent, fluent));
        }
        let first = self.first_of_relation[relation.index()];
        let mut changed = self.conclude_args(rule, first, args);
        if *relation == legal {
            changed |= args.get(1).is_some_and(|r#move| self.conclude_whole(rule, Whole::Move, r#move));
        }
        changed
    }

    fn conclude_whole(&mut self, rule: &Rule, whole: Whole, term: &Term) -> bool {
        match &term.kind {
            TermKind::Constant(_) => false,
            TermKind::Function(name, args) => {
                let first = self.compound(whole, *name, args.len());
                self.conclude_args(rule, first, args)
            }
            TermKind::Variable(variable) => {
                let is_kept = whole == Whole::Fluent
                    && rule.body.iter().any(|literal| {
                        matches!(literal, Literal::Positive(atom)
                            if atom.relation == self.reserved[0] && atom.args.iter().all(|arg| is(arg, *variable)))
                    });
                !is_kept && !std::mem::replace(&mut self.is_any[whole as usize], true)
            }
        }
    }

    fn conclude_args(&mut self, rule: &Rule, first: usize, args: &[Term]) -> bool {
        let mut changed = false;
        for (at, arg) in args.iter().enumerate() {
            if self.domains[first + at].is_any {
                continue;
            }
            let domain = match &arg.kind {
                TermKind::Constant(symbol) => {
                    changed |= self.domains[first + at].add(symbol.index() as u32);
                    continue;
                }
                TermKind::Variable(variable) => self.of_variable(rule, *variable),
                TermKind::Function(..) => Domain::ANY,
            };
            changed |= self.domains[first + at].add_all(&domain);
        }
        changed
    }

    /// The values that a variable of a rule can have.
    fn of_variable(&self, rule: &Rule, variable: VarId) -> Domain {
        let [r#true, does, ..] = self.reserved;
        let mut domain = Domain::ANY;
        for literal in &rule.body {
            let Literal::Positive(atom) = literal else { continue };
            let first = self.first_of_relation[atom.relation.index()];
            for (at, arg) in atom.args.iter().enumerate() {
                if is(arg, variable) {
                    domain = domain.meet(&self.domains[first + at]);
                }
            }
            let whole = match atom.relation {
                relation if relation == r#true => atom.args.first().map(|fluent| (Whole::Fluent, fluent)),
                relation if relation == does => atom.args.get(1).map(|r#move| (Whole::Move, r#move)),
                _ => None,
            };
            if let Some((whole, Term { kind: TermKind::Function(name, args), .. })) = whole {
                for at in (0..args.len()).filter(|&at| is(&args[at], variable)) {
                    domain = domain.meet(&self.of_compound(whole, *name, args.len(), at));
                }
            }
        }
        domain
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
        if domain.is_any {
            break;
        }
    }
    domain
}
