//! Fluents and moves by shape: `(true (cell ?x ?y b))` becomes an atom of a relation of its own,
//! `true` of cells, whose columns are the arguments. What holds next can then become what holds now
//! without putting terms together.

use crate::pattern::Pattern;
use crate::rule::{Atom, Literal, RelId};
use crate::rule_set::{Relation, RuleSet};
use senet_terms::{Functor, Terms};

/// What the fluents or moves of a shape have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Top {
    /// Nothing: a variable stands for them. The only column is the whole term.
    Any,
    /// They are this constant. There is no column.
    Constant(u32),
    /// They are made by this functor. Its arguments are the columns.
    Apply(Functor),
}

impl Top {
    /// The shape that the terms of a pattern have in common.
    pub fn of(terms: &Terms, pattern: &Pattern) -> Top {
        match (pattern, pattern.functor(terms)) {
            (_, Some(functor)) => Top::Apply(functor),
            (Pattern::Ground(term), None) => Top::Constant(*term),
            _ => Top::Any,
        }
    }

    /// The columns of a term of this shape.
    pub fn columns<'t>(self, terms: &'t Terms, term: &'t u32) -> Option<&'t [u32]> {
        match self {
            Top::Any => Some(std::slice::from_ref(term)),
            Top::Constant(constant) => (constant == *term).then_some(&[]),
            Top::Apply(functor) => {
                terms.compound(*term).filter(|&(its, _)| its == functor).map(|(_, args)| args)
            }
        }
    }

    /// The term that has these columns.
    pub fn term(self, terms: &mut Terms, columns: &[u32]) -> u32 {
        match self {
            Top::Any => columns[0],
            Top::Constant(constant) => constant,
            Top::Apply(functor) => terms.intern(functor, columns),
        }
    }
}

/// The relations of the fluents of a shape.
#[derive(Clone, Copy, Debug)]
pub struct FluentShape {
    /// The shape.
    pub top: Top,
    /// `init`
    pub init: RelId,
    /// `true`
    pub now: RelId,
    /// `next`
    pub next: RelId,
}

/// The relations of the moves of a shape.
///
/// Their first column is the role.
#[derive(Clone, Copy, Debug)]
pub struct MoveShape {
    /// The shape.
    pub top: Top,
    /// `legal`
    pub legal: RelId,
    /// `does`
    pub does: RelId,
}

/// All shapes.
#[derive(Clone, Debug)]
pub struct Shapes {
    /// Those of fluents.
    pub fluents: Vec<FluentShape>,
    /// Those of moves, in source order.
    pub moves: Vec<MoveShape>,
}

impl Shapes {
    /// One shape for all.
    pub fn whole(rule_set: &mut RuleSet) -> Shapes {
        let keywords = rule_set.keywords;
        let top = Top::Any;
        let (init, now, next) = (keywords.init, keywords.fluents, keywords.next);
        Shapes {
            fluents: vec![FluentShape { top, init, now, next }],
            moves: vec![MoveShape { top, legal: keywords.legal, does: keywords.moves }],
        }
    }
}

/// Gives each shape of fluents and of moves its own relations.
///
/// The rules stay as many, in the same order.
pub fn split(rule_set: &mut RuleSet) -> Shapes {
    let keywords = rule_set.keywords;
    let fluents = [keywords.init, keywords.fluents, keywords.next];
    let moves = [keywords.legal, keywords.moves];
    let fluent_shapes = split_family(rule_set, fluents);
    let mut move_shapes = split_family(rule_set, moves);
    move_shapes.sort_by_key(|(top, _)| match top {
        Top::Any => None,
        Top::Constant(constant) => Some((*constant as usize, 0)),
        Top::Apply(functor) => {
            let (name, arity) = rule_set.terms.name_and_arity(*functor);
            Some((name.index(), arity))
        }
    });
    let fluent = |(top, [init, now, next]): (Top, [RelId; 3])| FluentShape { top, init, now, next };
    let a_move = |(top, [legal, does]): (Top, [RelId; 2])| MoveShape { top, legal, does };
    Shapes {
        fluents: fluent_shapes.into_iter().map(fluent).collect(),
        moves: move_shapes.into_iter().map(a_move).collect(),
    }
}

/// Splits relations that have the same shapes in their last column.
fn split_family<const N: usize>(rule_set: &mut RuleSet, family: [RelId; N]) -> Vec<(Top, [RelId; N])> {
    let mut tops = Vec::new();
    for_each_atom(rule_set, |terms, atom| {
        if family.contains(&atom.relation) {
            let top = atom.args.last().map_or(Top::Any, |last| Top::of(terms, last));
            if !tops.contains(&top) {
                tops.push(top);
            }
        }
    });
    if tops.contains(&Top::Any) {
        return vec![(Top::Any, family)];
    }
    let RuleSet { terms, relations, .. } = rule_set;
    let mut relation_of = |top: Top, whole: RelId| {
        let whole = &relations[whole.index()];
        let arity = match top {
            Top::Any => 1,
            Top::Constant(_) => 0,
            Top::Apply(functor) => terms.name_and_arity(functor).1,
        };
        let arity = whole.arity - 1 + arity;
        relations.push(Relation { name: whole.name.clone(), arity, lifetime: whole.lifetime });
        RelId::new(relations.len() - 1)
    };
    let shapes: Vec<(Top, [RelId; N])> =
        tops.into_iter().map(|top| (top, family.map(|whole| relation_of(top, whole)))).collect();
    for_each_atom(rule_set, |terms, atom| {
        let Some(at) = family.iter().position(|&whole| whole == atom.relation) else { return };
        let Some(last) = atom.args.pop() else { return };
        let top = Top::of(terms, &last);
        let Some((_, relations)) = shapes.iter().find(|shape| shape.0 == top) else { return };
        atom.relation = relations[at];
        match last {
            Pattern::App(_, args) => atom.args.extend(args),
            Pattern::Ground(term) => {
                let args = terms.compound(term).map_or(&[][..], |(_, args)| args);
                atom.args.extend(args.iter().map(|&arg| Pattern::Ground(arg)));
            }
            Pattern::Var(_) => {}
        }
    });
    shapes
}

fn for_each_atom(rule_set: &mut RuleSet, mut visit: impl FnMut(&Terms, &mut Atom)) {
    for rule in &mut rule_set.rules {
        visit(&rule_set.terms, &mut rule.head);
        for literal in &mut rule.body {
            if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                visit(&rule_set.terms, atom);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::rule_set;

    #[test]
    fn each_shape_has_relations_with_the_arguments_as_columns() {
        let mut rule_set = rule_set(
            "(init (cell a b)) (init on) (<= (next (cell ?x (pair ?y c))) (true (cell ?x ?y)) (true on))
             (<= (legal robot (go ?x)) (true (cell ?x b))) (legal robot rest)",
        );
        let n_rules = rule_set.rules.len();
        let shapes = split(&mut rule_set);
        assert_eq!(rule_set.rules.len(), n_rules);
        let arity = |relation: RelId| rule_set.relations[relation.index()].arity;
        let mut arities: Vec<_> =
            shapes.fluents.iter().map(|it| (arity(it.init), arity(it.now), arity(it.next))).collect();
        arities.sort_unstable();
        assert_eq!(arities, [(0, 0, 0), (2, 2, 2)]);
        let moves: Vec<_> = shapes.moves.iter().map(|it| (arity(it.legal), arity(it.does))).collect();
        assert_eq!(moves.len(), 2);
        assert!(moves.contains(&(2, 2)) && moves.contains(&(1, 1)));
        let cell = shapes.fluents.iter().find(|it| matches!(it.top, Top::Apply(_))).expect("cells are one");
        let term = cell.top.term(&mut rule_set.terms, &[1, 2]);
        assert_eq!(cell.top.columns(&rule_set.terms, &term), Some(&[1, 2][..]));
    }

    #[test]
    fn a_variable_keeps_them_together() {
        let mut rule_set =
            rule_set("(init on) (<= (next ?f) (true ?f)) (<= (legal robot (go ?x)) (true (at ?x)))");
        let shapes = split(&mut rule_set);
        assert_eq!(shapes.fluents.len(), 1);
        assert_eq!(shapes.fluents[0].top, Top::Any);
        assert!(shapes.moves.iter().all(|shape| shape.top != Top::Any));
    }
}
