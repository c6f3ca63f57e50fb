//! From the rules of a program to rules by context.
//!
//! A relation becomes as many as there are contexts in which it is derived: `legal` sees no moves,
//! `init` sees neither moves nor a position. A relation whose rules ask for neither is the same in
//! all contexts, and is there once.

use crate::pattern::Pattern;
use crate::rule::{Atom, Literal, RelId, Rule};
use senet_analysis::{Dependence, Program, RelationId, RuleId};
use senet_gdl::{Keyword, Term, TermKind};
use senet_terms::Terms;

/// How long facts stay, by what is seen while they are derived.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Lifetime {
    /// Permanent: they see neither position nor moves.
    Match,
    /// Until the position changes: they see no moves.
    Position,
    /// Until other moves are played.
    Move,
}

/// A relation of the program in a context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RelationInContext {
    /// The relation.
    pub relation: RelationId,
    /// How long its facts stay true.
    pub lifetime: Lifetime,
}

/// The rules of a program that some relations need, by context.
#[derive(Debug)]
pub struct Lowering<'a> {
    program: &'a Program,
    terms: Terms,
    relations: Vec<RelationInContext>,
    rules: Vec<Rule>,
    /// Each relation of the program in each context.
    known: Vec<[Option<RelId>; 3]>,
    /// Relations whose rules are still to be lowered.
    pending: Vec<RelId>,
}

/// The lowered rules.
#[derive(Debug)]
pub struct LoweredRules {
    /// The terms of the rules.
    pub terms: Terms,
    /// By [`RelId`].
    pub relations: Vec<RelationInContext>,
    /// The rules of each relation together, in the order of the source.
    pub rules: Vec<Rule>,
}

impl<'a> Lowering<'a> {
    /// No relation is asked for yet.
    pub fn new(program: &'a Program) -> Lowering<'a> {
        Lowering {
            program,
            terms: Terms::new(program.symbols().len()),
            relations: Vec::new(),
            rules: Vec::new(),
            known: vec![[None; 3]; program.relations().len()],
            pending: Vec::new(),
        }
    }

    /// The relation of a keyword, as rules of a lifetime see it.
    pub fn keyword(&mut self, keyword: Keyword, seen_by: Lifetime) -> RelId {
        let id = self.program.reserved(keyword).expect("not a connective");
        self.relation(id, seen_by)
    }

    /// A relation, as rules of a lifetime see it.
    pub fn relation(&mut self, id: RelationId, seen_by: Lifetime) -> RelId {
        let lifetime = self.lifetime(id, seen_by);
        if let Some(known) = self.known[id.index()][lifetime as usize] {
            return known;
        }
        let own = RelId::new(self.relations.len());
        self.relations.push(RelationInContext { relation: id, lifetime });
        self.known[id.index()][lifetime as usize] = Some(own);
        self.pending.push(own);
        own
    }

    fn lifetime(&self, id: RelationId, seen_by: Lifetime) -> Lifetime {
        let relation = self.program.relation(id);
        let least = if is_of_position(relation.keyword) { Dependence::State } else { Dependence::Static };
        match (relation.keyword, relation.dependence.max(least)) {
            (Some(Keyword::Role | Keyword::Init | Keyword::Base | Keyword::Input), _) => Lifetime::Match,
            (Some(Keyword::Next), _) => Lifetime::Move,
            (_, Dependence::Static) => Lifetime::Match,
            (_, Dependence::State) => seen_by.min(Lifetime::Position),
            (_, Dependence::Move) => seen_by,
        }
    }

    /// Lowers the rules that the relations asked for need.
    pub fn finish(mut self) -> LoweredRules {
        while let Some(own) = self.pending.pop() {
            for origin in self.program.rule_ids_of(self.relations[own.index()].relation) {
                let rule = self.rule(origin, own);
                self.rules.extend(rule);
            }
        }
        let Lowering { terms, relations, rules, .. } = self;
        LoweredRules { terms, relations, rules }
    }

    /// The rule in the context of its head; `None` if it can never apply there.
    fn rule(&mut self, origin: RuleId, own: RelId) -> Option<Rule> {
        let program = self.program;
        let rule = program.rule(origin);
        let seen_by = self.relations[own.index()].lifetime;
        let head = Atom { relation: own, args: self.patterns(&rule.head.args) };
        let mut body = Vec::with_capacity(rule.body.len());
        for literal in &rule.body {
            use senet_analysis::Literal as Source;
            body.push(match literal {
                Source::Distinct(left, right, _) => {
                    Literal::Distinct(self.pattern(left), self.pattern(right))
                }
                Source::Positive(atom) if self.is_empty(atom.relation, seen_by) => return None,
                Source::Negative(atom) if self.is_empty(atom.relation, seen_by) => continue,
                Source::Positive(atom) => Literal::Positive(self.atom(atom, seen_by)),
                Source::Negative(atom) => Literal::Negative(self.atom(atom, seen_by)),
            });
        }
        let variables = rule.variables.clone();
        Some(Rule { head, body, n_vars: variables.len(), variables, origin, stratum: rule.stratum })
    }

    /// Whether nothing can hold of a relation.
    fn is_empty(&self, id: RelationId, seen_by: Lifetime) -> bool {
        let relation = self.program.relation(id);
        match relation.keyword {
            Some(Keyword::True) => seen_by == Lifetime::Match,
            Some(Keyword::Does) => seen_by != Lifetime::Move,
            _ => !relation.is_defined,
        }
    }

    fn atom(&mut self, atom: &senet_analysis::Atom, seen_by: Lifetime) -> Atom {
        Atom { relation: self.relation(atom.relation, seen_by), args: self.patterns(&atom.args) }
    }

    fn patterns(&mut self, terms: &[Term]) -> Vec<Pattern> {
        terms.iter().map(|term| self.pattern(term)).collect()
    }

    fn pattern(&mut self, term: &Term) -> Pattern {
        match &term.kind {
            TermKind::Variable(var) => Pattern::Var(var.index() as u32),
            TermKind::Function(symbol, args) if !term.is_ground() => {
                let functor = self.terms.functor(*symbol, args.len());
                Pattern::App(functor, self.patterns(args))
            }
            TermKind::Constant(_) | TermKind::Function(..) => Pattern::Ground(self.terms.read(term)),
        }
    }
}

/// Whether a keyword is asked for in a position.
///
/// Its rules see moves only where a rule that sees moves asks for it.
pub(crate) fn is_of_position(keyword: Option<Keyword>) -> bool {
    matches!(keyword, Some(Keyword::Legal | Keyword::Goal | Keyword::Terminal))
}
