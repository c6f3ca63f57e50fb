//! Fluents and moves by shape: `(true (cell ?x ?y b))` becomes an atom of a relation of its own, `true` of cells, whose
//! columns are the arguments. What holds next can then become what holds now without putting terms together.

use crate::mini::{Atom, Literal, Mini, Pattern, RelId, Relation};
use senet_terms::{Functor, Terms};

/// What the fluents or moves of a shape have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Top {
    /// Nothing: some rule speaks of them all with a variable. The only column is the whole term.
    Any,
    /// They are this constant. There is no column.
    Constant(u32),
    /// They are made by this functor. Its arguments are the columns.
    Apply(Functor),
}

impl Top {
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

/// The relations of the moves of a shape; the first column is the role.
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
    pub fn whole(mini: &mut Mini) -> Shapes {
        let keywords = mini.keywords;
        let top = Top::Any;
        let (init, now, next) = (keywords.init, keywords.fluents, keywords.next);
        Shapes {
            fluents: vec![FluentShape { top, init, now, next }],
            moves: vec![MoveShape { top, legal: keywords.legal, does: keywords.moves }],
        }
    }
}

/// Gives each shape of fluents and of moves relations of its own. There are as many rules as before, in the same order.
pub fn split(mini: &mut Mini) -> Shapes {
    let keywords = mini.keywords;
    let fluents = [keywords.init, keywords.fluents, keywords.next];
    let moves = [keywords.legal, keywords.moves];
    let fluent_shapes = split_family(mini, fluents);
    let mut move_shapes = split_family(mini, moves);
    move_shapes.sort_by_key(|(top, _)| match top {
        Top::Any => None,
        Top::Constant(constant) => Some((*constant as usize, 0)),
        Top::Apply(functor) => {
            let (name, arity) = mini.terms.name_and_arity(*functor);
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
fn split_family<const N: usize>(mini: &mut Mini, family: [RelId; N]) -> Vec<(Top, [RelId; N])> {
    let mut tops = Vec::new();
    for_each_atom(mini, |terms, atom| {
        if family.contains(&atom.relation) {
            let top = atom.args.last().map_or(Top::Any, |last| top_of(terms, last));
            if !tops.contains(&top) {
                tops.push(top);
            }
        }
    });
    if tops.contains(&Top::Any) {
        return vec![(Top::Any, family)];
    }
    let Mini { terms, relations, .. } = mini;
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
    for_each_atom(mini, |terms, atom| {
        let Some(at) = family.iter().position(|&whole| whole == atom.relation) else { return };
        let Some(last) = atom.args.pop() else { return };
        let top = top_of(terms, &last);
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

fn top_of(terms: &Terms, pattern: &Pattern) -> Top {
    match pattern {
        Pattern::Var(_) => Top::Any,
        Pattern::App(functor, _) => Top::Apply(*functor),
        Pattern::Ground(term) => match terms.compound(*term) {
            Some((functor, _)) => Top::Apply(functor),
            None => Top::Constant(*term),
        },
    }
}

fn for_each_atom(mini: &mut Mini, mut visit: impl FnMut(&Terms, &mut Atom)) {
    for rule in &mut mini.rules {
        visit(&mini.terms, &mut rule.head);
        for literal in &mut rule.body {
            if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                visit(&mini.terms, atom);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::mini;

    #[test]
    fn each_shape_has_relations_with_the_arguments_as_columns() {
        let mut mini = mini(
            "(init (cell a b)) (init on) (<= (next (cell ?x (pair ?y c))) (true (cell ?x ?y)) (true on))
             (<= (legal robot (go ?x)) (true (cell ?x b))) (legal robot rest)",
        );
        let n_rules = mini.rules.len();
        let shapes = split(&mut mini);
        assert_eq!(mini.rules.len(), n_rules);
        let arity = |relation: RelId| mini.relations[relation.index()].arity;
        let mut arities: Vec<_> =
            shapes.fluents.iter().map(|it| (arity(it.init), arity(it.now), arity(it.next))).collect();
        arities.sort_unstable();
        assert_eq!(arities, [(0, 0, 0), (2, 2, 2)]);
        let moves: Vec<_> = shapes.moves.iter().map(|it| (arity(it.legal), arity(it.does))).collect();
        assert_eq!(moves.len(), 2);
        assert!(moves.contains(&(2, 2)) && moves.contains(&(1, 1)));
        let cell = shapes.fluents.iter().find(|it| matches!(it.top, Top::Apply(_))).expect("cells are one");
        let term = cell.top.term(&mut mini.terms, &[1, 2]);
        assert_eq!(cell.top.columns(&mini.terms, &term), Some(&[1, 2][..]));
    }

    #[test]
    fn a_variable_keeps_them_together() {
        let mut mini = mini("(init on) (<= (next ?f) (true ?f)) (<= (legal robot (go ?x)) (true (at ?x)))");
        let shapes = split(&mut mini);
        assert_eq!(shapes.fluents.len(), 1);
        assert_eq!(shapes.fluents[0].top, Top::Any);
        assert!(shapes.moves.iter().all(|shape| shape.top != Top::Any));
    }
}
