//! Hash-consed terms: equal ground terms have the same number.
//!
//! The grounder, the languages and every engine that runs rules keep facts as short rows of such
//! numbers. [`Terms`] holds the terms of one program. [`hash`] and [`numbers`] are what it finds
//! them by; tables of facts use the same.
//!
//! ```
//! use senet_terms::Terms;
//!
//! let mut description = senet_gdl::parse("(cell 1 b)");
//! let cell = senet_gdl::parse_term("(cell 1 b)", &mut description.symbols).unwrap();
//! let mut terms = Terms::new(description.symbols.len());
//! let number = terms.read(&cell);
//! assert_eq!(terms.read(&cell), number);
//! assert_eq!(terms.text(&description.symbols, number), "(cell 1 b)");
//! ```

pub mod hash;
pub mod numbers;
mod source_order;
mod terms;

pub use terms::{Functor, TermId, Terms};
