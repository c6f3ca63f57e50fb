//! Forms: what rows of a relation have to look like for an atom, and which parts of them are
//! columns.

use crate::pattern::Pattern;
use senet_terms::{Functor, Terms};

/// The form of an argument.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// It is a column.
    Column,
    /// It is made by a functor; its arguments have these forms.
    Apply(Functor, Vec<Part>),
}

impl Part {
    /// The form of a pattern.
    pub fn of(pattern: &Pattern) -> Part {
        match pattern {
            Pattern::Var(_) | Pattern::Ground(_) => Part::Column,
            Pattern::App(functor, args) => Part::Apply(*functor, args.iter().map(Part::of).collect()),
        }
    }

    /// Appends the columns of a term; says whether it has this form.
    pub fn read(&self, terms: &Terms, term: u32, columns: &mut Vec<u32>) -> bool {
        match self {
            Part::Column => {
                columns.push(term);
                true
            }
            Part::Apply(functor, parts) => match terms.compound(term) {
                Some((its, args)) if its == *functor => {
                    parts.iter().zip(args).all(|(part, &arg)| part.read(terms, arg, columns))
                }
                _ => false,
            },
        }
    }
}
