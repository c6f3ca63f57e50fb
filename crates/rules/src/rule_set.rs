//! The rules that a game needs, by context.

use crate::lower::{Lifetime, LoweredRules, Lowering, RelationInContext, is_of_position};
use crate::rule::{RelId, Rule};
use senet_analysis::{Components, Graph, Program};
use senet_gdl::Keyword;
use senet_terms::Terms;

/// A relation in a context.
#[derive(Clone, Debug)]
pub struct Relation {
    /// The name in the rules.
    pub name: String,
    /// How many arguments it has.
    pub arity: usize,
    /// How long its facts stay.
    pub lifetime: Lifetime,
}

/// The relations that an engine asks about or gives.
#[derive(Clone, Copy, Debug)]
pub struct Keywords {
    /// `role`
    pub role: RelId,
    /// `init`
    pub init: RelId,
    /// `true`
    pub fluents: RelId,
    /// `does`
    pub moves: RelId,
    /// `legal`
    pub legal: RelId,
    /// `next`
    pub next: RelId,
    /// `goal`
    pub goal: RelId,
    /// `terminal`
    pub terminal: RelId,
}

impl Keywords {
    /// All of them.
    pub fn all(&self) -> [RelId; 8] {
        let &Keywords { role, init, fluents, moves, legal, next, goal, terminal } = self;
        [role, init, fluents, moves, legal, next, goal, terminal]
    }
}

/// The rules that a game needs: MINI-GDL.
///
/// `or`, `and` and equality are gone before ([`senet_analysis::Program`]).
#[derive(Clone, Debug)]
pub struct RuleSet {
    /// Terms of the rules.
    pub terms: Terms,
    /// By [`RelId`].
    pub relations: Vec<Relation>,
    /// Rules of every relation.
    pub rules: Vec<Rule>,
    /// Where to find what an engine asks.
    pub keywords: Keywords,
}

impl RuleSet {
    /// The rules that the keywords need.
    pub fn new(program: &Program) -> RuleSet {
        let mut lowering = Lowering::new(program);
        let keywords = Keywords {
            role: lowering.keyword(Keyword::Role, Lifetime::Match),
            init: lowering.keyword(Keyword::Init, Lifetime::Match),
            fluents: lowering.keyword(Keyword::True, Lifetime::Position),
            moves: lowering.keyword(Keyword::Does, Lifetime::Move),
            legal: lowering.keyword(Keyword::Legal, Lifetime::Position),
            next: lowering.keyword(Keyword::Next, Lifetime::Move),
            goal: lowering.keyword(Keyword::Goal, Lifetime::Position),
            terminal: lowering.keyword(Keyword::Terminal, Lifetime::Position),
        };
        let LoweredRules { terms, relations, rules } = lowering.finish();
        let relations = relations.into_iter().map(|it| named(program, it)).collect();
        RuleSet { terms, relations, rules, keywords }
    }

    /// How long the facts of a relation stay.
    pub fn lifetime(&self, relation: RelId) -> Lifetime {
        self.relations[relation.index()].lifetime
    }

    /// Whether the facts of a relation are the same in every position.
    pub fn is_permanent(&self, relation: RelId) -> bool {
        self.lifetime(relation) == Lifetime::Match
    }

    /// The rules of a relation.
    pub fn rules_of(&self, relation: RelId) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(move |rule| rule.head.relation == relation)
    }

    /// The relations that use each other, each component after those it uses.
    pub fn components(&self) -> Components {
        let edges = self
            .rules
            .iter()
            .flat_map(|rule| rule.atoms().map(|atom| (rule.head.relation.index(), atom.relation.index())));
        Graph::new(self.relations.len(), edges).components()
    }
}

fn named(program: &Program, RelationInContext { relation, lifetime }: RelationInContext) -> Relation {
    let relation = program.relation(relation);
    let mut name = program.symbols().name(relation.name).to_owned();
    if is_of_position(relation.keyword) {
        // The reserved name is left to the relation that is asked for in a position.
        name.push_str(match lifetime {
            Lifetime::Match => " before play",
            Lifetime::Position => "",
            Lifetime::Move => " after moves",
        });
    }
    Relation { name, arity: relation.arity, lifetime }
}
