//! Numbered terms in the order of the source.

use senet_gdl::Symbol;
use senet_ground::Terms;
use std::cmp::Ordering;

fn parts(terms: &Terms, term: u32) -> (Symbol, &[u32]) {
    terms.application(term).unwrap_or((Symbol::new(term as usize), &[]))
}

/// The order of [`senet_gdl::source_order`].
pub fn source_order(terms: &Terms, left: u32, right: u32) -> Ordering {
    if left == right {
        return Ordering::Equal;
    }
    let ((left_name, left_args), (right_name, right_args)) = (parts(terms, left), parts(terms, right));
    let by_name = (left_name, left_args.len()).cmp(&(right_name, right_args.len()));
    by_name.then_with(|| {
        let mut orders =
            left_args.iter().zip(right_args).map(|(&left, &right)| source_order(terms, left, right));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    })
}
