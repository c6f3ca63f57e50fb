//! From the rules of a program to rules over tables.

mod constant_fluents;

pub(crate) use constant_fluents::make_constants_static;

use crate::facts::{FactStore, Relation, Table, TableId, Views};
use crate::invariants::Proved;
use crate::program::Kind;
use senet_analysis::{Dependence, Program, RelationId, Stratification};
use senet_gdl::Keyword;
use senet_ids::Interner;
use senet_rules::{Lifetime, Literal, LoweredRules, Lowering, RelId, RelationInContext, Rule};

/// The rules of a program that matter, over tables.
pub(crate) struct Lowered {
    pub(crate) store: FactStore,
    pub(crate) symbols: Interner,
    /// Static rules by stratum; facts first.
    pub(crate) static_rules: Vec<Vec<Rule>>,
    /// Rules for what depends on state or moves: relations after those they use, where that is
    /// possible.
    pub(crate) dynamic_rules: Vec<Rule>,
    pub(crate) role: RelId,
    pub(crate) init: RelId,
    pub(crate) fluents: RelId,
    pub(crate) moves: RelId,
    /// The declarations of the rulesheet.
    pub(crate) base: Option<RelId>,
    pub(crate) input: Option<RelId>,
    /// The static relations of the program, by its numbers.
    pub(crate) static_relations: Vec<Option<RelId>>,
    /// A static relation that depends on a negation for which no order was proved: its facts cannot
    /// be derived.
    pub(crate) unordered: Option<RelId>,
    /// The relations whose facts were derived.
    pub(crate) is_evaluated: Vec<bool>,
    /// The proved properties of fluents.
    pub(crate) proved: Proved,
}

impl Lowered {
    pub(crate) fn all_rules(&self) -> impl Iterator<Item = &Rule> {
        self.static_rules.iter().flatten().chain(&self.dynamic_rules)
    }
}

/// Lowers what `legal`, `next`, `goal`, `terminal`, `role` and `init` need, or all dynamic
/// relations.
pub(crate) fn lower(program: &Program, everything: bool) -> Lowered {
    let mut lowering = Lowering::new(program);
    // `legal` gives moves and `next` gives fluents: they share their tables.
    lowering.keyword(Keyword::Does, Lifetime::Move);
    lowering.keyword(Keyword::Legal, Lifetime::Position);
    lowering.keyword(Keyword::True, Lifetime::Move);
    lowering.keyword(Keyword::Next, Lifetime::Move);
    lowering.keyword(Keyword::Goal, Lifetime::Position);
    lowering.keyword(Keyword::Terminal, Lifetime::Position);
    if everything {
        for (at, relation) in program.relations().iter().enumerate() {
            if relation.keyword.is_none() && relation.dependence != Dependence::Static {
                lowering.relation(RelationId::new(at), Lifetime::Move);
            }
        }
    }
    over_tables(program, lowering)
}

/// Lowers what `base` and `input` need.
pub(crate) fn lower_declared(program: &Program) -> Lowered {
    let mut lowering = Lowering::new(program);
    let mut declared = |keyword| {
        let id = program.reserved(keyword).expect("not a connective");
        program.relation(id).is_defined.then(|| lowering.relation(id, Lifetime::Match))
    };
    let (base, input) = (declared(Keyword::Base), declared(Keyword::Input));
    Lowered { base, input, ..over_tables(program, lowering) }
}

/// The relations that depend on a negation for which no order was proved. They are kept in the
/// ground program even if they are static: ground atoms may have the order that relations have not.
fn tainted(program: &Program) -> Vec<bool> {
    let mut tainted = vec![false; program.relations().len()];
    if program.stratification() != Stratification::Unproved {
        return tainted;
    }
    for rule in program.rules() {
        let is_open = |literal: &senet_analysis::Literal| match literal {
            senet_analysis::Literal::Negative(atom) => {
                program.relation(atom.relation).stratum >= rule.stratum
                    && program.relation(atom.relation).is_defined
            }
            _ => false,
        };
        tainted[rule.head.relation.index()] |= rule.body.iter().any(is_open);
    }
    loop {
        let mut has_grown = false;
        for rule in program.rules() {
            let uses = rule.body.iter().filter_map(|literal| literal.atom());
            let is_tainted = uses.into_iter().any(|atom| tainted[atom.relation.index()]);
            has_grown |= is_tainted && !tainted[rule.head.relation.index()];
            tainted[rule.head.relation.index()] |= is_tainted;
        }
        if !has_grown {
            return tainted;
        }
    }
}

/// The relations asked for, with fluents, moves, roles and the initial state, over tables.
fn over_tables(program: &Program, mut lowering: Lowering) -> Lowered {
    let fluents = lowering.keyword(Keyword::True, Lifetime::Move);
    let moves = lowering.keyword(Keyword::Does, Lifetime::Move);
    let role = lowering.keyword(Keyword::Role, Lifetime::Match);
    let init = lowering.keyword(Keyword::Init, Lifetime::Match);
    let LoweredRules { terms, relations: in_context, rules } = lowering.finish();
    let mut tables = Relations::new(program, fluents, moves);
    in_context.iter().for_each(|&it| tables.add(it));
    let Relations { symbols, relations, tables, unordered, .. } = tables;
    let mut static_rules = vec![Vec::new(); program.strata().len()];
    let mut dynamic_rules = Vec::new();
    for mut rule in rules {
        // Ground rules never show the names of variables, and rules are often copied.
        rule.variables = Vec::new();
        if relations[rule.head.relation.index()].is_static() {
            static_rules[rule.stratum].push(rule);
        } else {
            dynamic_rules.push(rule);
        }
    }
    let mut static_relations = vec![None; program.relations().len()];
    for (own, it) in in_context.iter().enumerate() {
        let is_same_in_all = program.relation(it.relation).dependence == Dependence::Static;
        let is_own = is_same_in_all || RelId::new(own) == init || RelId::new(own) == role;
        if relations[own].is_static() && is_own {
            static_relations[it.relation.index()] = Some(RelId::new(own));
        }
    }
    Lowered {
        symbols,
        dynamic_rules: users_last(relations.len(), dynamic_rules),
        static_rules,
        role,
        init,
        fluents,
        moves,
        base: None,
        input: None,
        static_relations,
        unordered,
        is_evaluated: vec![false; relations.len()],
        proved: Proved::default(),
        store: FactStore { terms, tables, views: Views::default(), relations },
    }
}

/// Relations with tables, one after the other.
struct Relations<'a> {
    program: &'a Program,
    symbols: Interner,
    fluents: RelId,
    moves: RelId,
    relations: Vec<Relation>,
    tables: Vec<Table>,
    tainted: Vec<bool>,
    /// By relation of the program: whether it was added in some context.
    is_added: Vec<bool>,
    unordered: Option<RelId>,
}

impl<'a> Relations<'a> {
    fn new(program: &'a Program, fluents: RelId, moves: RelId) -> Relations<'a> {
        Relations {
            program,
            symbols: program.symbols().clone(),
            fluents,
            moves,
            relations: Vec::new(),
            tables: Vec::new(),
            tainted: tainted(program),
            is_added: vec![false; program.relations().len()],
            unordered: None,
        }
    }

    fn add(&mut self, RelationInContext { relation: id, lifetime }: RelationInContext) {
        let relation = self.program.relation(id);
        let is_tainted = self.tainted[id.index()];
        let is_variant = match relation.keyword {
            Some(Keyword::Legal | Keyword::Goal | Keyword::Terminal) => lifetime != Lifetime::Position,
            Some(_) => false,
            None => std::mem::replace(&mut self.is_added[id.index()], true),
        };
        let is_static = relation.dependence == Dependence::Static && relation.keyword.is_none();
        let kind = match relation.keyword {
            _ if lifetime == Lifetime::Match && !(is_static && is_tainted) => None,
            Some(Keyword::Legal | Keyword::Goal | Keyword::Terminal) if is_variant => Some(Kind::Derived),
            Some(Keyword::True) => Some(Kind::True),
            Some(Keyword::Does) => Some(Kind::Does),
            Some(Keyword::Next) => Some(Kind::Next),
            Some(Keyword::Legal) => Some(Kind::Legal),
            Some(Keyword::Goal) => Some(Kind::Goal),
            Some(Keyword::Terminal) => Some(Kind::Terminal),
            _ => Some(if relation.is_auxiliary { Kind::Auxiliary } else { Kind::Derived }),
        };
        let name = match (is_variant, relation.is_auxiliary) {
            (true, _) => fresh_name(&mut self.symbols, self.program.symbols().name(relation.name)),
            (false, true) => fresh_name(&mut self.symbols, "either"),
            (false, false) => relation.name,
        };
        let table = match kind {
            Some(Kind::Next) => self.relations[self.fluents.index()].table,
            Some(Kind::Legal) => self.relations[self.moves.index()].table,
            _ => {
                self.tables.push(Table::new(relation.arity));
                TableId::new(self.tables.len() - 1)
            }
        };
        if kind.is_none() && is_tainted {
            self.unordered.get_or_insert(RelId::new(self.relations.len()));
        }
        self.relations.push(Relation { name, arity: relation.arity, table, kind, part_of: None });
    }
}

/// Puts the rules of a relation after those of the relations it uses, as far as they do not use
/// each other. The rules of a relation stand together.
fn users_last(n_relations: usize, rules: Vec<Rule>) -> Vec<Rule> {
    let mut rules_of = vec![0..0; n_relations];
    for (at, rule) in rules.iter().enumerate() {
        let own = &mut rules_of[rule.head.relation.index()];
        *own = if own.end == 0 { at } else { own.start }..at + 1;
    }
    let uses = |relation: usize| {
        let literals = rules[rules_of[relation].clone()].iter().flat_map(|rule| &rule.body);
        literals.filter_map(Literal::atom).map(|atom| atom.relation.index())
    };
    let mut order = Vec::with_capacity(rules.len());
    let mut is_entered = vec![false; n_relations];
    let mut stack = Vec::new();
    for root in 0..n_relations {
        if !std::mem::replace(&mut is_entered[root], true) {
            stack.push((root, uses(root)));
        }
        while let Some((relation, used)) = stack.last_mut() {
            match used.find(|&next| !std::mem::replace(&mut is_entered[next], true)) {
                Some(next) => stack.push((next, uses(next))),
                None => {
                    order.extend(rules_of[*relation].clone());
                    stack.pop();
                }
            }
        }
    }
    let mut rules: Vec<Option<Rule>> = rules.into_iter().map(Some).collect();
    order.into_iter().map(|rule| rules[rule].take().expect("each rule comes once")).collect()
}

/// A name that nothing else has.
pub(crate) fn fresh_name(symbols: &mut Interner, stem: &str) -> senet_ids::Symbol {
    let mut number = symbols.len();
    loop {
        let name = format!("{stem}_{number}");
        if symbols.get(&name).is_none() {
            return symbols.intern(&name);
        }
        number += 1;
    }
}
