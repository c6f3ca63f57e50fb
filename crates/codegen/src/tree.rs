//! Patterns taken apart, and how they fit what an argument can be.

use crate::domain::{Domain, Shape};
use crate::flat::Operand;

/// A pattern whose variables stand for constants, or for terms kept whole.
#[derive(Debug)]
pub(crate) enum Tree {
    Constant(Operand),
    Open(u32),
    /// With the term it is, if it has no variables.
    Function(u32, Vec<Tree>, Option<u32>),
}

impl Tree {
    /// As one column.
    fn whole(&self) -> Operand {
        match self {
            Tree::Constant(operand) => operand.clone(),
            Tree::Open(var) => Operand::Var(*var),
            Tree::Function(_, _, Some(term)) => Operand::Term(*term),
            Tree::Function(functor, args, None) => {
                Operand::Build(*functor, args.iter().map(Tree::whole).collect())
            }
        }
    }
}

/// A variable of a shape, taken apart.
pub(crate) fn tree_of_shape(shape: &Shape, next_var: &mut u32) -> Tree {
    match shape {
        Shape::Function(functor, args) => {
            let args = args.iter().map(|arg| tree_of_shape(arg, next_var)).collect();
            Tree::Function(*functor, args, None)
        }
        Shape::Constant | Shape::Open => {
            let var = *next_var;
            *next_var += 1;
            if *shape == Shape::Open { Tree::Open(var) } else { Tree::Constant(Operand::Var(var)) }
        }
    }
}

/// How a tree fits a domain.
pub(crate) enum Fit {
    Shape(Shape),
    Never,
    /// A term kept whole where others are taken apart.
    Unknown,
}

/// The shape that a tree has in a domain, and its columns.
pub(crate) fn fit(tree: &Tree, domain: &Domain, columns: &mut Vec<Operand>) -> Fit {
    if domain.is_open {
        columns.push(tree.whole());
        return Fit::Shape(Shape::Open);
    }
    match tree {
        Tree::Constant(Operand::Term(term)) if !domain.constants.contains(*term) => Fit::Never,
        Tree::Open(_) if !domain.functions.is_empty() => Fit::Unknown,
        Tree::Constant(_) | Tree::Open(_) if domain.constants.is_empty() => Fit::Never,
        Tree::Constant(_) | Tree::Open(_) => {
            columns.push(tree.whole());
            Fit::Shape(Shape::Constant)
        }
        Tree::Function(functor, args, _) => {
            let Some(domains) = domain.functions.get(functor) else { return Fit::Never };
            let mut shapes = Vec::new();
            for (arg, domain) in args.iter().zip(domains) {
                match fit(arg, domain, columns) {
                    Fit::Shape(shape) => shapes.push(shape),
                    other => return other,
                }
            }
            Fit::Shape(Shape::Function(*functor, shapes))
        }
    }
}

/// The pairs of parts of two trees; `false` if the trees differ anyway.
pub(crate) fn pair(left: &Tree, right: &Tree, pairs: &mut Vec<(Operand, Operand)>) -> bool {
    match (left, right) {
        (Tree::Function(left, left_args, _), Tree::Function(right, right_args, _)) => {
            left == right && left_args.iter().zip(right_args).all(|(left, right)| pair(left, right, pairs))
        }
        (Tree::Function(..), Tree::Constant(_)) | (Tree::Constant(_), Tree::Function(..)) => false,
        _ => match (left.whole(), right.whole()) {
            (Operand::Term(left), Operand::Term(right)) => left == right,
            (left, right) => {
                if left != right {
                    pairs.push((left, right));
                }
                true
            }
        },
    }
}
