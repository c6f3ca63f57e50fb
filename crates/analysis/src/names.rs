//! How names are used, as far as it tells whether a closer look at them can find anything.

use senet_gdl::{Clause, Description, Formula, Keyword, Symbol, Term, TermKind};

#[derive(Clone, Copy, Default)]
struct NameUse {
    is_relation: bool,
    is_constant: bool,
    /// The number of arguments as a function; none is zero.
    function_arity: usize,
}

/// What the names of a rulesheet are used for.
pub(crate) struct Names {
    uses: Vec<NameUse>,
    /// Whether some function has different numbers of arguments.
    has_ambiguous_function: bool,
    /// Whether some `or` has fewer than two branches.
    pub(crate) has_short_or: bool,
}

impl Names {
    pub(crate) fn new(description: &Description) -> Self {
        let uses = vec![NameUse::default(); description.symbols.len()];
        let mut names = Self { uses, has_ambiguous_function: false, has_short_or: false };
        description.clauses.iter().for_each(|clause| names.note_clause(clause));
        names
    }

    /// Whether some name is a function with different numbers of arguments, or a relation and a function.
    pub(crate) fn has_ambiguous_function(&self) -> bool {
        self.has_ambiguous_function
            || self.uses.iter().any(|name| name.is_relation && name.function_arity > 0)
    }

    /// Whether some reserved word stands in a term where it may be a mistake.
    pub(crate) fn has_reserved_word_in_term(&self, description: &Description) -> bool {
        Keyword::ALL.into_iter().any(|keyword| {
            let name = self.uses[description.symbol_of(keyword).index()];
            name.function_arity > 0 || keyword.is_connective() && name.is_constant
        })
    }

    fn note_clause(&mut self, clause: &Clause) {
        self.note_relation(clause.head.relation, &clause.head.args);
        clause.body.iter().for_each(|formula| self.note_formula(formula));
    }

    fn note_formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Atom(atom) => self.note_relation(atom.relation, &atom.args),
            Formula::Distinct(left, right, _) => {
                self.note_term(left);
                self.note_term(right);
            }
            Formula::Not(inner, _) => self.note_formula(inner),
            Formula::And(parts, _) => parts.iter().for_each(|part| self.note_formula(part)),
            Formula::Or(parts, _) => {
                self.has_short_or |= parts.len() < 2;
                parts.iter().for_each(|part| self.note_formula(part));
            }
        }
    }

    fn note_relation(&mut self, name: Symbol, args: &[Term]) {
        self.uses[name.index()].is_relation = true;
        args.iter().for_each(|arg| self.note_term(arg));
    }

    fn note_term(&mut self, term: &Term) {
        match &term.kind {
            TermKind::Variable(_) => {}
            TermKind::Constant(symbol) => self.uses[symbol.index()].is_constant = true,
            TermKind::Function(symbol, args) => {
                let known = &mut self.uses[symbol.index()].function_arity;
                self.has_ambiguous_function |= *known != 0 && *known != args.len();
                *known = args.len();
                args.iter().for_each(|arg| self.note_term(arg));
            }
        }
    }
}
