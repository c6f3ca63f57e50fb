//! MINI-GDL: rules without syntactic sugar over numbered terms.
//!
//! `or`, `and` and equality are gone before ([`senet_analysis::Program`]). Here a relation becomes as many as there are
//! contexts in which it is derived: `legal` sees no moves, `init` sees neither moves nor a position.

use senet_analysis::{Dependence, Program, RelationId};
use senet_gdl::{Keyword, Symbol, Term, TermKind};
use senet_terms::{Functor, Terms};
use std::collections::BTreeMap;

senet_ids::define_id! {
    /// A relation in a context.
    pub struct RelId;
}

/// A term with variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Pattern {
    /// A variable, by its number in the rule.
    Var(u32),
    /// A term without variables.
    Ground(u32),
    /// A function of patterns, not all ground.
    App(Functor, Vec<Pattern>),
}

impl Pattern {
    /// A function of patterns, ground if they are.
    pub fn apply(terms: &mut Terms, functor: Functor, args: Vec<Pattern>) -> Pattern {
        let ground = args.iter().map(|arg| match arg {
            Pattern::Ground(term) => Some(*term),
            Pattern::Var(_) | Pattern::App(..) => None,
        });
        match ground.collect::<Option<Vec<u32>>>() {
            Some(ground) => Pattern::Ground(terms.intern(functor, &ground)),
            None => Pattern::App(functor, args),
        }
    }

    /// Visits variables as they are written.
    pub fn for_each_var(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Pattern::Var(var) => visit(*var),
            Pattern::Ground(_) => {}
            Pattern::App(_, args) => args.iter().for_each(|arg| arg.for_each_var(visit)),
        }
    }

    /// Gives variables other numbers.
    pub(crate) fn renumber(&mut self, number: &mut impl FnMut(u32) -> u32) {
        match self {
            Pattern::Var(var) => *var = number(*var),
            Pattern::Ground(_) => {}
            Pattern::App(_, args) => args.iter_mut().for_each(|arg| arg.renumber(number)),
        }
    }
}

/// A relation applied to patterns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// Which relation.
    pub relation: RelId,
    /// To what it is applied.
    pub args: Vec<Pattern>,
}

impl Atom {
    /// Whether each argument is another variable.
    pub fn has_different_variables(&self) -> bool {
        let mut seen = Vec::new();
        self.args.iter().all(|arg| match arg {
            Pattern::Var(var) if !seen.contains(var) => {
                seen.push(*var);
                true
            }
            _ => false,
        })
    }

    /// Visits variables as they are written.
    pub fn for_each_var(&self, visit: &mut impl FnMut(u32)) {
        self.args.iter().for_each(|arg| arg.for_each_var(visit));
    }
}

/// A condition of a rule.
#[derive(Clone, Debug)]
pub enum Literal {
    /// Holds.
    Positive(Atom),
    /// Does not hold.
    Negative(Atom),
    /// Two terms differ.
    Distinct(Pattern, Pattern),
}

impl Literal {
    /// Visits variables as they are written.
    pub fn for_each_var(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.for_each_var(visit),
            Literal::Distinct(left, right) => {
                left.for_each_var(visit);
                right.for_each_var(visit);
            }
        }
    }

    /// Whether it holds or not is asked when its variables are bound, because it binds none.
    pub fn is_test(&self) -> bool {
        !matches!(self, Literal::Positive(_))
    }

    /// The atom that holds or does not.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
            Literal::Distinct(..) => None,
        }
    }
}

/// A rule, or a fact if the body is empty.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What follows.
    pub head: Atom,
    /// From what, in the order of the source.
    pub body: Vec<Literal>,
    /// Variables have the numbers below this.
    pub n_vars: usize,
    /// The names of variables in the source, by their number.
    pub variables: Vec<Symbol>,
    /// Rules of lower strata are complete before this one runs.
    pub stratum: usize,
}

impl Rule {
    /// Numbers the variables that occur anew; `names` are those of the old numbers.
    pub(crate) fn renumber_variables(&mut self, names: &[Symbol]) {
        let mut numbers = BTreeMap::new();
        let variables = &mut self.variables;
        variables.clear();
        let mut number = |var: u32| {
            *numbers.entry(var).or_insert_with(|| {
                variables.push(names[var as usize]);
                variables.len() as u32 - 1
            })
        };
        let in_body = self.body.iter_mut().flat_map(|literal| match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.args.iter_mut().collect::<Vec<_>>(),
            Literal::Distinct(left, right) => vec![left, right],
        });
        self.head.args.iter_mut().chain(in_body).for_each(|arg| arg.renumber(&mut number));
        self.n_vars = self.variables.len();
    }
}

/// How long facts stay.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Lifetime {
    /// Permanent: the same in every position.
    Match,
    /// Until the position changes.
    Position,
    /// Until other moves are played.
    Move,
}

/// What can be seen while a relation is derived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Context {
    Nothing,
    Position,
    Play,
}

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

/// The rules that matter.
#[derive(Clone, Debug)]
pub struct Mini {
    /// Terms of the rules.
    pub terms: Terms,
    /// By [`RelId`].
    pub relations: Vec<Relation>,
    /// Rules of every relation.
    pub rules: Vec<Rule>,
    /// Where to find what an engine asks.
    pub keywords: Keywords,
}

impl Mini {
    /// The rules that the keywords need.
    pub fn new(program: &Program) -> Mini {
        let mut lowering = Lowering {
            program,
            terms: Terms::new(program.symbols().len()),
            relations: Vec::new(),
            known: vec![[None; 3]; program.relations().len()],
            pending: Vec::new(),
            rules: Vec::new(),
        };
        let mut root = |keyword, context| {
            let id = program.reserved(keyword).expect("not a connective");
            lowering.relation(id, context)
        };
        let keywords = Keywords {
            role: root(Keyword::Role, Context::Nothing),
            init: root(Keyword::Init, Context::Nothing),
            fluents: root(Keyword::True, Context::Position),
            moves: root(Keyword::Does, Context::Play),
            legal: root(Keyword::Legal, Context::Position),
            next: root(Keyword::Next, Context::Play),
            goal: root(Keyword::Goal, Context::Position),
            terminal: root(Keyword::Terminal, Context::Position),
        };
        while let Some((id, own, context)) = lowering.pending.pop() {
            for rule in program.rules_of(id) {
                lowering.rule(rule, own, context);
            }
        }
        let Lowering { terms, relations, rules, .. } = lowering;
        Mini { terms, relations, rules, keywords }
    }
}

struct Lowering<'a> {
    program: &'a Program,
    terms: Terms,
    relations: Vec<Relation>,
    /// Each relation of the program in each context.
    known: Vec<[Option<RelId>; 3]>,
    /// Relations whose rules are still to be lowered.
    pending: Vec<(RelationId, RelId, Context)>,
    rules: Vec<Rule>,
}

impl Lowering<'_> {
    /// A relation as it is seen in a context.
    fn relation(&mut self, id: RelationId, seen_in: Context) -> RelId {
        let relation = self.program.relation(id);
        let is_of_position =
            matches!(relation.keyword, Some(Keyword::Legal | Keyword::Goal | Keyword::Terminal));
        let least = if is_of_position { Dependence::State } else { Dependence::Static };
        let context = match (relation.keyword, relation.dependence.max(least)) {
            (Some(Keyword::Role | Keyword::Init | Keyword::Base | Keyword::Input), _) => Context::Nothing,
            (Some(Keyword::Next), _) => Context::Play,
            (_, Dependence::Static) => Context::Nothing,
            (_, Dependence::State) if seen_in != Context::Nothing => Context::Position,
            _ => seen_in,
        };
        if let Some(known) = self.known[id.index()][context as usize] {
            return known;
        }
        let own = RelId::new(self.relations.len());
        let mut name = self.program.symbols().name(relation.name).to_owned();
        if is_of_position {
            // The reserved name is left to the relation that is asked for in a position.
            name.push_str(match context {
                Context::Nothing => " before play",
                Context::Position => "",
                Context::Play => " after moves",
            });
        }
        self.relations.push(Relation {
            name,
            arity: relation.arity,
            lifetime: match context {
                Context::Nothing => Lifetime::Match,
                Context::Position => Lifetime::Position,
                Context::Play => Lifetime::Move,
            },
        });
        self.known[id.index()][context as usize] = Some(own);
        self.pending.push((id, own, context));
        own
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

    fn rule(&mut self, rule: &senet_analysis::Rule, head: RelId, context: Context) {
        let mut body = Vec::with_capacity(rule.body.len());
        for literal in &rule.body {
            body.push(match literal {
                senet_analysis::Literal::Distinct(left, right, _) => {
                    Literal::Distinct(self.pattern(left), self.pattern(right))
                }
                senet_analysis::Literal::Positive(atom) if self.is_empty(atom.relation, context) => return,
                senet_analysis::Literal::Negative(atom) if self.is_empty(atom.relation, context) => continue,
                senet_analysis::Literal::Positive(atom) => Literal::Positive(self.atom(atom, context)),
                senet_analysis::Literal::Negative(atom) => Literal::Negative(self.atom(atom, context)),
            });
        }
        let head = Atom { relation: head, args: self.patterns(&rule.head.args) };
        let variables = rule.variables.clone();
        self.rules.push(Rule { head, body, n_vars: variables.len(), variables, stratum: rule.stratum });
    }

    fn atom(&mut self, atom: &senet_analysis::Atom, context: Context) -> Atom {
        Atom { relation: self.relation(atom.relation, context), args: self.patterns(&atom.args) }
    }

    fn patterns(&mut self, terms: &[Term]) -> Vec<Pattern> {
        terms.iter().map(|term| self.pattern(term)).collect()
    }

    fn pattern(&mut self, term: &Term) -> Pattern {
        match &term.kind {
            TermKind::Variable(var) => Pattern::Var(var.index() as u32),
            TermKind::Constant(symbol) => Pattern::Ground(symbol.index() as u32),
            TermKind::Function(symbol, args) => {
                let functor = self.terms.functor(*symbol, args.len());
                let args = self.patterns(args);
                Pattern::apply(&mut self.terms, functor, args)
            }
        }
    }
}
