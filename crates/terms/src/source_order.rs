//! Numbered terms in the order of the source.

use crate::terms::Terms;
use std::cmp::Ordering;

impl Terms {
    /// Compares two terms in the order of [`senet_gdl::source_order`].
    pub fn source_order(&self, left: u32, right: u32) -> Ordering {
        if left == right {
            return Ordering::Equal;
        }
        let ((left_name, left_args), (right_name, right_args)) =
            (self.name_and_args(left), self.name_and_args(right));
        let by_name = (left_name, left_args.len()).cmp(&(right_name, right_args.len()));
        by_name.then_with(|| {
            let mut orders =
                left_args.iter().zip(right_args).map(|(&left, &right)| self.source_order(left, right));
            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::Terms;
    use senet_gdl::{parse, parse_term, source_order};

    #[test]
    fn it_is_the_order_of_the_syntax_tree() {
        let mut description = parse("(p z a) (p (f z a) (f z))");
        let texts = ["(f a z)", "a", "(f z z)", "z", "f", "(f z)", "(f (f a) z)"];
        let read = texts.map(|text| parse_term(text, &mut description.symbols).expect("a term"));
        let mut terms = Terms::new(description.symbols.len());
        let numbers = read.each_ref().map(|term| terms.read(term));
        for (left, &left_number) in read.iter().zip(&numbers) {
            for (right, &right_number) in read.iter().zip(&numbers) {
                assert_eq!(terms.source_order(left_number, right_number), source_order(left, right));
            }
        }
    }
}
