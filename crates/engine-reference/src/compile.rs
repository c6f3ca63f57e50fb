//! From the syntax tree to steps.

use crate::facts::Facts;
use crate::order::{Goal, Variables, conditions};
use crate::program::*;
use crate::terms::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use senet_gdl::{Atom, Clause, Description, Keyword, Symbol, Term, TermKind};
use std::borrow::Borrow;
use std::sync::Arc;

/// Compiles every clause. Any description can be compiled: what is unsafe
/// or contradictory shows when it is asked.
pub(crate) fn compile(description: &Description) -> Program {
    let mut compiler = Compiler {
        description,
        terms: Terms::default(),
        relations: Vec::new(),
        relation_ids: FxHashMap::default(),
        rules: Vec::new(),
        steps: Vec::new(),
        shapes: Vec::new(),
        shape_ids: FxHashMap::default(),
        uses: Vec::new(),
    };
    let keywords = Keywords::new(|keyword| {
        let arity = keyword.arity().expect("a reserved relation");
        compiler.relation(description.symbol_of(keyword), arity)
    });
    // All heads first: whether a relation is more than its facts decides how it is asked.
    let mut defined = Defined::default();
    for clause in &description.clauses {
        let relation = compiler.relation(clause.head.relation, clause.head.args.len());
        let by = if is_ground_fact(clause) { &mut defined.by_facts } else { &mut defined.by_rules };
        by.insert(relation);
    }
    for clause in &description.clauses {
        compiler.clause(clause, &defined);
    }
    compiler.set_lifetimes();
    let Compiler { terms, relations, rules, steps, shapes, shape_ids, .. } = compiler;
    Program { relations, rules, steps, shapes, shape_ids, terms, keywords }
}

fn is_ground_fact(clause: &Clause) -> bool {
    clause.body.is_empty() && clause.head.args.iter().all(Term::is_ground)
}

/// The relations that clauses define.
#[derive(Default)]
struct Defined {
    by_facts: FxHashSet<RelationId>,
    by_rules: FxHashSet<RelationId>,
}

struct Compiler<'a> {
    description: &'a Description,
    terms: Terms,
    relations: Vec<Relation>,
    relation_ids: FxHashMap<(Symbol, usize), RelationId>,
    rules: Vec<Rule>,
    steps: Vec<Step>,
    shapes: Vec<(Symbol, usize)>,
    shape_ids: FxHashMap<(Symbol, usize), ShapeId>,
    /// By relation: what the bodies of its rules look at.
    uses: Vec<Vec<Use>>,
}

#[derive(Clone, Copy)]
enum Use {
    Relation(RelationId),
    Fluents,
    Moves,
}

impl Compiler<'_> {
    fn relation(&mut self, name: Symbol, arity: usize) -> RelationId {
        *self.relation_ids.entry((name, arity)).or_insert_with(|| {
            self.relations.push(Relation {
                name,
                facts: Facts::new(arity),
                rules: Vec::new(),
                lifetime: Lifetime::Match,
                is_below_not: false,
            });
            self.uses.push(Vec::new());
            RelationId::new(self.relations.len() - 1)
        })
    }

    fn clause(&mut self, clause: &Clause, defined: &Defined) {
        let relation = self.relation(clause.head.relation, clause.head.args.len());
        let head: Box<[_]> = clause.head.args.iter().map(|arg| self.pattern(arg)).collect();
        if is_ground_fact(clause) {
            let row: Vec<TermId> = head.iter().map(ground).collect();
            self.relations[relation.index()].facts.insert(&row);
            return;
        }
        let text = self.description.show_clause(clause).into();
        self.rule(relation, head, conditions(clause), Origin { clause, text, defined });
    }

    /// Compiles a rule and gives it to its relation.
    fn rule(&mut self, relation: RelationId, head: Box<[Pattern]>, goals: Vec<Goal<'_>>, origin: Origin<'_>) {
        let rule = RuleId::new(self.rules.len());
        let conclude = self.step(Action::Conclude, StepId::new(0), rule);
        self.rules.push(Rule {
            head,
            n_variables: origin.clause.variables.len(),
            variable_names: origin.clause.variables.clone().into(),
            first: conclude,
            text: origin.text.clone(),
        });
        self.relations[relation.index()].rules.push(rule);
        let first = self.conjunction(&Body { relation, rule, origin }, goals, conclude);
        self.rules[rule.index()].first = first;
    }

    /// Compiles a `not` with variables of its own: a relation for what is below it has no answer.
    fn no_value(
        &mut self,
        body: &Body<'_>,
        goals: Vec<Goal<'_>>,
        shared: &Variables,
        next: StepId,
    ) -> StepId {
        let mut variables: Vec<_> = shared.iter().copied().collect();
        variables.sort_unstable();
        let relation = RelationId::new(self.relations.len());
        self.relations.push(Relation {
            name: self.relations[body.relation.index()].name,
            facts: Facts::new(variables.len()),
            rules: Vec::new(),
            lifetime: Lifetime::Match,
            is_below_not: true,
        });
        self.uses.push(Vec::new());
        self.uses[body.relation.index()].push(Use::Relation(relation));
        let patterns: Box<[_]> = variables.iter().map(|&variable| Pattern::Variable(variable)).collect();
        self.rule(relation, patterns.clone(), goals, body.origin.clone());
        let arguments = Arguments { patterns, variables: variables.into() };
        self.step(Action::CallInVain(relation, arguments), next, body.rule)
    }

    fn step(&mut self, action: Action, next: StepId, rule: RuleId) -> StepId {
        self.steps.push(Step { action, next, rule });
        StepId::new(self.steps.len() - 1)
    }

    /// Compiles goals that must all succeed, from the last to the first.
    fn conjunction(&mut self, body: &Body<'_>, goals: Vec<Goal<'_>>, next: StepId) -> StepId {
        goals.into_iter().rev().fold(next, |next, goal| self.goal(body, goal, next))
    }

    fn goal(&mut self, body: &Body<'_>, goal: Goal<'_>, next: StepId) -> StepId {
        match goal {
            Goal::Holds(atom) => self.holds(body, atom, next),
            Goal::Fails(atom) => self.fails(body, atom, next),
            Goal::Distinct(left, right) => {
                let action = Action::Distinct(self.pattern(left), self.pattern(right));
                self.step(action, next, body.rule)
            }
            Goal::Equal(left, right) | Goal::Gives { known: left, other: right, .. } => {
                let action = Action::Equal(self.pattern(left), self.pattern(right));
                self.step(action, next, body.rule)
            }
            Goal::AllEqual(pairs) => {
                let sides: Vec<&Term> = pairs.into_iter().flatten().collect();
                let action = Action::AllEqual(self.arguments(&sides));
                self.step(action, next, body.rule)
            }
            Goal::NoValue { goals, shared } => self.no_value(body, goals, &shared, next),
            Goal::All(parts) => self.conjunction(body, parts, next),
            Goal::Any(parts) => {
                let branches = parts.into_iter().map(|part| self.goal(body, part, next)).collect();
                self.step(Action::Fork(branches), next, body.rule)
            }
        }
    }

    fn holds(&mut self, body: &Body<'_>, atom: &Atom, next: StepId) -> StepId {
        let mut branches: Vec<_> = self
            .ways(body, atom)
            .into_iter()
            .map(|way| {
                let action = match way {
                    Way::Look(source, arguments) => Action::Look(source, arguments),
                    Way::Call(relation, arguments) => Action::Call(relation, arguments),
                };
                self.step(action, next, body.rule)
            })
            .collect();
        match branches.len() {
            0 => self.step(Action::Fail, next, body.rule),
            1 => branches.remove(0),
            _ => self.step(Action::Fork(branches.into()), next, body.rule),
        }
    }

    fn fails(&mut self, body: &Body<'_>, atom: &Atom, next: StepId) -> StepId {
        self.ways(body, atom).into_iter().fold(next, |next, way| {
            let action = match way {
                Way::Look(source, arguments) => Action::LookInVain(source, arguments),
                Way::Call(relation, arguments) => Action::CallInVain(relation, arguments),
            };
            self.step(action, next, body.rule)
        })
    }

    /// Where an atom can hold. `init` and `next` say nothing about the position: they hold nowhere.
    fn ways(&mut self, body: &Body<'_>, atom: &Atom) -> Vec<Way> {
        let keyword =
            self.description.keyword(atom.relation).filter(|word| word.arity() == Some(atom.args.len()));
        let relation = self.relation(atom.relation, atom.args.len());
        let mut ways = Vec::new();
        match keyword {
            Some(Keyword::Init | Keyword::Next) => return ways,
            Some(Keyword::True) => {
                self.uses[body.relation.index()].push(Use::Fluents);
                ways.push(self.fluents(&atom.args[0]));
            }
            Some(Keyword::Does) => {
                self.uses[body.relation.index()].push(Use::Moves);
                ways.push(Way::Look(Source::Moves, self.arguments(&atom.args)));
            }
            _ => {}
        }
        // `(true x)` written as a fact holds in every position; only then is `true` a relation like any other.
        let has_rules = body.origin.defined.by_rules.contains(&relation);
        let beside_facts = ways.is_empty() || body.origin.defined.by_facts.contains(&relation);
        if has_rules {
            self.uses[body.relation.index()].push(Use::Relation(relation));
            ways.push(Way::Call(relation, self.arguments(&atom.args)));
        } else if beside_facts {
            ways.push(Way::Look(Source::Relation(relation), self.arguments(&atom.args)));
        }
        ways
    }

    fn fluents(&mut self, fluent: &Term) -> Way {
        let shape = match &fluent.kind {
            TermKind::Variable(_) => {
                return Way::Look(Source::AllFluents, self.arguments(std::slice::from_ref(fluent)));
            }
            TermKind::Constant(name) => (*name, 0),
            TermKind::Function(name, args) => (*name, args.len()),
        };
        let id = *self.shape_ids.entry(shape).or_insert_with(|| {
            self.shapes.push(shape);
            ShapeId::new(self.shapes.len() - 1)
        });
        let args: &[Term] = if let TermKind::Function(_, args) = &fluent.kind { args } else { &[] };
        Way::Look(Source::Fluents(id), self.arguments(args))
    }

    fn arguments<T: Borrow<Term>>(&mut self, terms: &[T]) -> Arguments {
        let mut variables = Vec::new();
        let mut seen = FxHashSet::default();
        for term in terms {
            term.borrow().for_each_variable(&mut |variable, _| {
                if seen.insert(variable) {
                    variables.push(variable.index());
                }
            });
        }
        Arguments {
            patterns: terms.iter().map(|term| self.pattern(term.borrow())).collect(),
            variables: variables.into(),
        }
    }

    fn pattern(&mut self, term: &Term) -> Pattern {
        match &term.kind {
            TermKind::Variable(variable) => Pattern::Variable(variable.index()),
            TermKind::Constant(symbol) => Pattern::Ground(self.terms.apply(*symbol, &[])),
            TermKind::Function(symbol, args) => {
                let args: Box<[_]> = args.iter().map(|arg| self.pattern(arg)).collect();
                if args.iter().all(|arg| matches!(arg, Pattern::Ground(_))) {
                    let args: Vec<_> = args.iter().map(ground).collect();
                    Pattern::Ground(self.terms.apply(*symbol, &args))
                } else {
                    Pattern::Apply(*symbol, args)
                }
            }
        }
    }

    /// A relation lives as long as the shortest-lived thing it looks at.
    fn set_lifetimes(&mut self) {
        let mut users: Vec<Vec<RelationId>> = vec![Vec::new(); self.relations.len()];
        let mut pending = Vec::new();
        for (at, uses) in self.uses.iter().enumerate() {
            for used in uses {
                match used {
                    Use::Relation(used) => users[used.index()].push(RelationId::new(at)),
                    Use::Fluents => pending.push((RelationId::new(at), Lifetime::Position)),
                    Use::Moves => pending.push((RelationId::new(at), Lifetime::Move)),
                }
            }
        }
        while let Some((relation, lifetime)) = pending.pop() {
            let known = &mut self.relations[relation.index()].lifetime;
            if lifetime > *known {
                *known = lifetime;
                pending.extend(users[relation.index()].iter().map(|&user| (user, lifetime)));
            }
        }
    }
}

/// What a rule is made of.
#[derive(Clone)]
struct Origin<'a> {
    clause: &'a Clause,
    text: Arc<str>,
    defined: &'a Defined,
}

struct Body<'a> {
    relation: RelationId,
    rule: RuleId,
    origin: Origin<'a>,
}

enum Way {
    Look(Source, Arguments),
    Call(RelationId, Arguments),
}

fn ground(pattern: &Pattern) -> TermId {
    match pattern {
        Pattern::Ground(term) => *term,
        Pattern::Variable(_) | Pattern::Apply(..) => unreachable!("only asked of ground patterns"),
    }
}
