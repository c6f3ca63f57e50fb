//! The order in which random choices are drawn.

use crate::{Term, TermKind};
use std::cmp::Ordering;

/// Compares ground terms by where their symbols first occur in the rulesheet:
/// by name, then number of arguments, then argument by argument. Scrambling a
/// rulesheet keeps this order, so a seed plays the same match.
///
/// ```
/// let mut description = senet_gdl::parse("(moves up down)");
/// let mut term = |text| senet_gdl::parse_term(text, &mut description.symbols).unwrap();
/// assert!(senet_gdl::source_order(&term("up"), &term("down")).is_lt());
/// ```
pub fn source_order(left: &Term, right: &Term) -> Ordering {
    let parts = |term: &Term| match &term.kind {
        TermKind::Variable(variable) => (variable.index(), 0),
        TermKind::Constant(symbol) => (symbol.index(), 0),
        TermKind::Function(symbol, args) => (symbol.index(), args.len()),
    };
    let by_name = parts(left).cmp(&parts(right));
    match (&left.kind, &right.kind) {
        (TermKind::Function(_, left), TermKind::Function(_, right)) if by_name.is_eq() => {
            let mut by_argument = left.iter().zip(right).map(|(left, right)| source_order(left, right));
            by_argument.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        }
        _ => by_name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interner, parse_term};

    #[test]
    fn symbols_that_occur_first_come_first() {
        let mut description = crate::parse("(p z a) (p (f z a))");
        let symbols: &mut Interner = &mut description.symbols;
        let mut terms: Vec<_> = ["(f a z)", "a", "(f z z)", "z", "f"]
            .map(|text| (parse_term(text, symbols).unwrap(), text))
            .into();
        terms.sort_by(|left, right| source_order(&left.0, &right.0));
        let sorted: Vec<_> = terms.into_iter().map(|(_, text)| text).collect();
        assert_eq!(sorted, ["z", "a", "f", "(f z z)", "(f a z)"]);
    }
}
