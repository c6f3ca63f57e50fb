//! From the rules of a program to rules over tables.

mod constant_fluents;

pub(crate) use constant_fluents::make_constants_static;

use crate::facts::{FactStore, Relation, Table, TableId, Views};
use crate::invariants::Proved;
use crate::program::Kind;
use crate::rules::{Atom, Literal, Pattern, RelId, Rule};
use senet_analysis::{Dependence, Program, RelationId, RuleId, Stratification};
use senet_gdl::{Keyword, Term, TermKind};
use senet_ids::Interner;
use senet_terms::Terms;

/// What can be seen while a relation is derived, see [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Context {
    /// Position and moves: `next`.
    Play,
    /// The position: `legal`, `goal`, `terminal`.
    Position,
    /// Neither: `role`, `init`, `base`, `input`.
    Nothing,
}

/// The rules of a program that matter, over tables.
pub(crate) struct Lowered {
    pub(crate) store: FactStore,
    pub(crate) symbols: Interner,
    /// Static rules by stratum; facts first.
    pub(crate) static_rules: Vec<Vec<Rule>>,
    /// Rules for what depends on state or moves: relations after those they use, where that is possible.
    pub(crate) dynamic_rules: Vec<Rule>,
    pub(crate) role: RelId,
    pub(crate) init: RelId,
    pub(crate) fluents: RelId,
    pub(crate) moves: RelId,
    /// What the rulesheet declares.
    pub(crate) base: Option<RelId>,
    pub(crate) input: Option<RelId>,
    /// The static relations of the program, by its numbers.
    pub(crate) static_relations: Vec<Option<RelId>>,
    /// A static relation that depends on a negation for which no order was proved: its facts cannot be derived.
    pub(crate) unordered: Option<RelId>,
    /// The relations whose facts were derived.
    pub(crate) is_evaluated: Vec<bool>,
    /// What is proved of fluents.
    pub(crate) proved: Proved,
}

impl Lowered {
    pub(crate) fn all_rules(&self) -> impl Iterator<Item = &Rule> {
        self.static_rules.iter().flatten().chain(&self.dynamic_rules)
    }
}

struct Lowering<'a> {
    program: &'a Program,
    symbols: Interner,
    terms: Terms,
    relations: Vec<Relation>,
    tables: Vec<Table>,
    /// Each relation of the program in each [`Context`].
    known: Vec<[Option<RelId>; 3]>,
    /// Relations whose rules are still to be lowered.
    pending: Vec<(RelationId, RelId, Context)>,
    tainted: Vec<bool>,
    unordered: Option<RelId>,
    /// The relations of the program that were asked for in some context.
    is_lowered: Vec<bool>,
    static_rules: Vec<Vec<Rule>>,
    dynamic_rules: Vec<Rule>,
    /// The arguments of ground terms that are not complete.
    ground_args: Vec<u32>,
}

/// Lowers what `legal`, `next`, `goal`, `terminal`, `role` and `init` need, or all dynamic relations.
pub(crate) fn lower(program: &Program, everything: bool) -> Lowered {
    let mut lowering = Lowering::new(program);
    lowering.root(Keyword::Legal, Context::Position);
    lowering.root(Keyword::Next, Context::Play);
    lowering.root(Keyword::Goal, Context::Position);
    lowering.root(Keyword::Terminal, Context::Position);
    if everything {
        for (at, relation) in program.relations().iter().enumerate() {
            if relation.keyword.is_none() && relation.dependence != Dependence::Static {
                lowering.relation(RelationId::new(at), Context::Play);
            }
        }
    }
    lowering.finish()
}

/// Lowers what `base` and `input` need.
pub(crate) fn lower_declared(program: &Program) -> Lowered {
    let mut lowering = Lowering::new(program);
    let mut declared = |keyword| {
        let id = program.reserved(keyword).expect("not a connective");
        program.relation(id).is_defined.then(|| lowering.relation(id, Context::Nothing))
    };
    let (base, input) = (declared(Keyword::Base), declared(Keyword::Input));
    Lowered { base, input, ..lowering.finish() }
}

/// The relations that depend on a negation for which no order was proved. They are kept in the ground
/// program even if they are static: ground atoms may have the order that relations have not.
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

impl<'a> Lowering<'a> {
    fn new(program: &'a Program) -> Lowering<'a> {
        Lowering {
            program,
            symbols: program.symbols().clone(),
            terms: Terms::new(program.symbols().len()),
            relations: Vec::new(),
            tables: Vec::new(),
            known: vec![[None; 3]; program.relations().len()],
            pending: Vec::new(),
            tainted: tainted(program),
            unordered: None,
            is_lowered: vec![false; program.relations().len()],
            static_rules: vec![Vec::new(); program.strata().len()],
            dynamic_rules: Vec::new(),
            ground_args: Vec::new(),
        }
    }

    fn root(&mut self, keyword: Keyword, context: Context) -> RelId {
        let id = self.program.reserved(keyword).expect("not a connective");
        self.relation(id, context)
    }

    fn finish(mut self) -> Lowered {
        let fluents = self.root(Keyword::True, Context::Play);
        let moves = self.root(Keyword::Does, Context::Play);
        let role = self.root(Keyword::Role, Context::Nothing);
        let init = self.root(Keyword::Init, Context::Nothing);
        self.lower_pending();
        let Lowering {
            program,
            symbols,
            terms,
            relations,
            tables,
            known,
            unordered,
            static_rules,
            dynamic_rules,
            ..
        } = self;
        let dynamic_rules = users_last(relations.len(), dynamic_rules);
        let mut static_relations = vec![None; program.relations().len()];
        for ((relation, known), found) in program.relations().iter().zip(&known).zip(&mut static_relations) {
            for &own in known.iter().flatten() {
                let is_own = relation.dependence == Dependence::Static || own == init || own == role;
                if relations[own.index()].is_static() && is_own {
                    *found = Some(own);
                }
            }
        }
        let is_evaluated = vec![false; relations.len()];
        let store = FactStore { terms, tables, views: Views::default(), relations };
        Lowered {
            store,
            symbols,
            static_rules,
            dynamic_rules,
            role,
            init,
            fluents,
            moves,
            base: None,
            input: None,
            static_relations,
            unordered,
            is_evaluated,
            proved: Proved::default(),
        }
    }

    fn lower_pending(&mut self) {
        while let Some((id, own, context)) = self.pending.pop() {
            let is_static = self.relations[own.index()].is_static();
            for origin in self.program.rule_ids_of(id) {
                let Some(rule) = self.rule(self.program.rule(origin), origin, own, context) else { continue };
                if is_static {
                    self.static_rules[rule.stratum as usize].push(rule);
                } else {
                    self.dynamic_rules.push(rule);
                }
            }
        }
    }

    /// The relation as it is derived in a context.
    fn relation(&mut self, id: RelationId, context: Context) -> RelId {
        let relation = self.program.relation(id);
        let context = match (relation.dependence, context) {
            (Dependence::Static, _) if relation.keyword.is_none() => Context::Play,
            (Dependence::State, Context::Position) => Context::Play,
            (_, context) => context,
        };
        let context = match relation.keyword {
            Some(Keyword::Role | Keyword::Init | Keyword::Base | Keyword::Input) => Context::Nothing,
            // Rules that ask what is legal see no moves either, unless that makes a difference.
            Some(Keyword::Legal | Keyword::Goal | Keyword::Terminal)
                if relation.dependence != Dependence::Move && context == Context::Play =>
            {
                Context::Position
            }
            _ => context,
        };
        if let Some(known) = self.known[id.index()][context as usize] {
            return known;
        }
        let is_variant = match relation.keyword {
            Some(Keyword::Legal | Keyword::Goal | Keyword::Terminal) => context != Context::Position,
            Some(_) => false,
            None => std::mem::replace(&mut self.is_lowered[id.index()], true),
        };
        let kind = match relation.keyword {
            _ if context == Context::Nothing => None,
            Some(Keyword::Legal | Keyword::Goal | Keyword::Terminal) if is_variant => Some(Kind::Derived),
            Some(Keyword::True) => Some(Kind::True),
            Some(Keyword::Does) => Some(Kind::Does),
            Some(Keyword::Next) => Some(Kind::Next),
            Some(Keyword::Legal) => Some(Kind::Legal),
            Some(Keyword::Goal) => Some(Kind::Goal),
            Some(Keyword::Terminal) => Some(Kind::Terminal),
            _ if relation.dependence == Dependence::Static && !self.tainted[id.index()] => None,
            _ => Some(if relation.is_auxiliary { Kind::Auxiliary } else { Kind::Derived }),
        };
        let name = match is_variant || relation.is_auxiliary {
            true => fresh_name(
                &mut self.symbols,
                if is_variant { self.program.symbols().name(relation.name) } else { "either" },
            ),
            false => relation.name,
        };
        let table = match kind {
            // `next` gives fluents and `legal` gives moves: one table each.
            Some(Kind::Next) => self.table_of(Keyword::True),
            Some(Kind::Legal) => self.table_of(Keyword::Does),
            _ => {
                self.tables.push(Table::new(relation.arity));
                TableId::new(self.tables.len() - 1)
            }
        };
        let own = RelId::new(self.relations.len());
        if kind.is_none() && self.tainted[id.index()] {
            self.unordered.get_or_insert(own);
        }
        self.relations.push(Relation { name, arity: relation.arity, table, kind, part_of: None });
        self.known[id.index()][context as usize] = Some(own);
        self.pending.push((id, own, context));
        own
    }

    fn table_of(&mut self, keyword: Keyword) -> TableId {
        let id = self.program.reserved(keyword).expect("not a connective");
        let relation = self.relation(id, Context::Play);
        self.relations[relation.index()].table
    }

    fn rule(
        &mut self,
        rule: &senet_analysis::Rule,
        origin: RuleId,
        head: RelId,
        context: Context,
    ) -> Option<Rule> {
        let args = rule.head.args.iter().map(|term| self.pattern(term)).collect();
        let head = Atom { relation: head, args };
        let mut body = Vec::with_capacity(rule.body.len());
        for literal in &rule.body {
            body.push(match literal {
                senet_analysis::Literal::Distinct(left, right, _) => {
                    Literal::Distinct(self.pattern(left), self.pattern(right))
                }
                senet_analysis::Literal::Positive(atom) => {
                    if self.is_empty(atom.relation, context) {
                        return None;
                    }
                    Literal::Positive(self.atom(atom, context))
                }
                senet_analysis::Literal::Negative(atom) => {
                    if self.is_empty(atom.relation, context) {
                        continue;
                    }
                    Literal::Negative(self.atom(atom, context))
                }
            });
        }
        let n_vars = rule.variables.len() as u32;
        Some(Rule { head, body, n_vars, origin, stratum: rule.stratum as u32 })
    }

    /// Whether nothing can hold of a relation.
    fn is_empty(&self, id: RelationId, context: Context) -> bool {
        let relation = self.program.relation(id);
        match relation.keyword {
            Some(Keyword::True) => context == Context::Nothing,
            Some(Keyword::Does) => context != Context::Play,
            _ => !relation.is_defined,
        }
    }

    fn atom(&mut self, atom: &senet_analysis::Atom, context: Context) -> Atom {
        let relation = self.relation(atom.relation, context);
        Atom { relation, args: atom.args.iter().map(|term| self.pattern(term)).collect() }
    }

    fn pattern(&mut self, term: &Term) -> Pattern {
        match &term.kind {
            TermKind::Variable(var) => Pattern::Var(var.index() as u32),
            TermKind::Constant(symbol) => Pattern::Ground(symbol.index() as u32),
            TermKind::Function(..) if term.is_ground() => Pattern::Ground(self.ground(term)),
            TermKind::Function(symbol, args) => {
                let functor = self.terms.functor(*symbol, args.len());
                Pattern::App(functor, args.iter().map(|arg| self.pattern(arg)).collect())
            }
        }
    }

    fn ground(&mut self, term: &Term) -> u32 {
        match &term.kind {
            TermKind::Variable(_) => unreachable!("a ground term has no variables"),
            TermKind::Constant(symbol) => symbol.index() as u32,
            TermKind::Function(symbol, args) => {
                let functor = self.terms.functor(*symbol, args.len());
                let first = self.ground_args.len();
                for arg in args {
                    let arg = self.ground(arg);
                    self.ground_args.push(arg);
                }
                let term = self.terms.intern(functor, &self.ground_args[first..]);
                self.ground_args.truncate(first);
                term
            }
        }
    }
}

/// Puts the rules of a relation after those of the relations it uses, as far as they do not use each other.
/// The rules of a relation stand together.
fn users_last(n_relations: usize, rules: Vec<Rule>) -> Vec<Rule> {
    let mut rules_of = vec![0..0; n_relations];
    for (at, rule) in rules.iter().enumerate() {
        let own = &mut rules_of[rule.head.relation.index()];
        *own = if own.end == 0 { at } else { own.start }..at + 1;
    }
    let uses = |relation: usize| {
        let literals = rules[rules_of[relation].clone()].iter().flat_map(|rule| &rule.body);
        literals.filter_map(|literal| match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom.relation.index()),
            Literal::Distinct(..) => None,
        })
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
