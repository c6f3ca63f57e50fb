//! The syntax tree of a rulesheet.

use crate::diagnostic::Findings;
use crate::{Code, Diagnostic, Interner, Keyword, Span, Symbol};

senet_ids::define_id! {
    /// A variable of one clause.
    pub struct VarId;
}

/// A term with its place.
#[derive(Clone, Debug)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where it is written.
    pub span: Span,
}

/// The three kinds of terms.
#[derive(Clone, Debug)]
pub enum TermKind {
    /// `?x`
    Variable(VarId),
    /// `x`, also written `(x)`
    Constant(Symbol),
    /// `(f x …)`, with at least one argument
    Function(Symbol, Vec<Term>),
}

impl Term {
    /// Calls `visit` with every variable occurrence.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(VarId, Span)) {
        match &self.kind {
            TermKind::Variable(variable) => visit(*variable, self.span),
            TermKind::Constant(_) => {}
            TermKind::Function(_, args) => args.iter().for_each(|arg| arg.for_each_variable(visit)),
        }
    }

    /// Whether it has no variable.
    pub fn is_ground(&self) -> bool {
        let mut ground = true;
        self.for_each_variable(&mut |_, _| ground = false);
        ground
    }
}

/// A relation applied to terms.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The name. Relations of the same name and different arity are different relations.
    pub relation: Symbol,
    /// The arguments.
    pub args: Vec<Term>,
    /// Where it is written.
    pub span: Span,
}

impl Atom {
    /// Calls `visit` with every variable occurrence.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(VarId, Span)) {
        self.args.iter().for_each(|arg| arg.for_each_variable(visit));
    }
}

/// A condition in the body of a rule, as written.
#[derive(Clone, Debug)]
pub enum Formula {
    /// A relation that must hold.
    Atom(Atom),
    /// `(distinct A B)`
    Distinct(Term, Term, Span),
    /// `(not F)`
    Not(Box<Formula>, Span),
    /// `(or F …)`; without disjuncts it is false.
    Or(Vec<Formula>, Span),
    /// `(and F …)`
    And(Vec<Formula>, Span),
}

impl Formula {
    /// Where it is written.
    pub fn span(&self) -> Span {
        match self {
            Formula::Atom(atom) => atom.span,
            Formula::Distinct(_, _, span)
            | Formula::Not(_, span)
            | Formula::Or(_, span)
            | Formula::And(_, span) => *span,
        }
    }

    /// Calls `visit` with every variable occurrence.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(VarId, Span)) {
        match self {
            Formula::Atom(atom) => atom.for_each_variable(visit),
            Formula::Distinct(left, right, _) => {
                left.for_each_variable(visit);
                right.for_each_variable(visit);
            }
            Formula::Not(inner, _) => inner.for_each_variable(visit),
            Formula::Or(parts, _) | Formula::And(parts, _) => {
                parts.iter().for_each(|part| part.for_each_variable(visit));
            }
        }
    }

    /// Calls `visit` with every atom, and whether it stands below a negation.
    pub fn for_each_atom<'a>(&'a self, visit: &mut impl FnMut(&'a Atom, bool)) {
        self.visit_atoms(false, visit);
    }

    fn visit_atoms<'a>(&'a self, negated: bool, visit: &mut impl FnMut(&'a Atom, bool)) {
        match self {
            Formula::Atom(atom) => visit(atom, negated),
            Formula::Distinct(..) => {}
            Formula::Not(inner, _) => inner.visit_atoms(!negated, visit),
            Formula::Or(parts, _) | Formula::And(parts, _) => {
                parts.iter().for_each(|part| part.visit_atoms(negated, visit));
            }
        }
    }
}

/// A fact (empty body) or a rule.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What it concludes.
    pub head: Atom,
    /// From what.
    pub body: Vec<Formula>,
    /// The names of its variables, with their question marks, by [`VarId`].
    pub variables: Vec<Symbol>,
    /// Where it is written.
    pub span: Span,
}

/// A rulesheet: its clauses in order, its names, its text, its syntax errors.
#[derive(Clone, Debug)]
pub struct Description {
    /// The text that all spans refer to.
    pub text: String,
    /// The names, numbered by first occurrence; keywords that do not occur come last.
    pub symbols: Interner,
    /// The facts and rules that could be read.
    pub clauses: Vec<Clause>,
    keyword_symbols: [Symbol; Keyword::ALL.len()],
    /// The keyword that each symbol is, as far as symbols were known when the text was read.
    keywords: Vec<Option<Keyword>>,
    findings: Findings,
}

impl Description {
    pub(crate) fn new(text: String, mut symbols: Interner, clauses: Vec<Clause>, findings: Findings) -> Self {
        let keyword_symbols = Keyword::ALL.map(|keyword| symbols.intern(keyword.text()));
        let mut keywords = vec![None; symbols.len()];
        for (keyword, symbol) in Keyword::ALL.into_iter().zip(keyword_symbols) {
            keywords[symbol.index()] = Some(keyword);
        }
        Self { text, symbols, clauses, keyword_symbols, keywords, findings: findings.sorted() }
    }

    /// The syntax errors in the order of the text, at most a thousand of each kind. Where there is one, some clauses
    /// of the text are missing from `clauses`.
    pub fn findings(&self) -> &[Diagnostic] {
        self.findings.kept()
    }

    /// How many syntax errors of each kind there are, including those beyond the first thousand.
    pub fn finding_counts(&self) -> &[(&'static Code, usize)] {
        self.findings.counts()
    }

    /// A rulesheet of the selected clauses, given by their index. It has no findings.
    #[must_use]
    pub fn select(&self, is_selected: impl Fn(usize) -> bool) -> Description {
        let clauses = self.clauses.iter().enumerate().filter(|&(clause_idx, _)| is_selected(clause_idx));
        Description {
            text: self.text.clone(),
            symbols: self.symbols.clone(),
            clauses: clauses.map(|(_, clause)| clause.clone()).collect(),
            keyword_symbols: self.keyword_symbols,
            keywords: self.keywords.clone(),
            findings: Findings::default(),
        }
    }

    /// The symbol of a keyword.
    pub fn symbol_of(&self, keyword: Keyword) -> Symbol {
        self.keyword_symbols[keyword as usize]
    }

    /// The keyword that a symbol is.
    pub fn keyword(&self, symbol: Symbol) -> Option<Keyword> {
        self.keywords.get(symbol.index()).copied().flatten()
    }

    /// The lower-case text of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.name(symbol)
    }
}
