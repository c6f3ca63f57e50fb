//! GDL as text: reading, printing and renaming rulesheets.
//!
//! [`parse`] never fails: it returns a [`Description`] of everything that
//! could be understood, which carries a [`Diagnostic`] for each thing that could not.
//!
//! ```
//! let description = senet_gdl::parse("(role x) (<= (legal X noop) (role x))");
//! assert!(description.findings().is_empty());
//! assert_eq!(description.clauses.len(), 2);
//! assert_eq!(description.show_clause(&description.clauses[1]), "(<= (legal x noop) (role x))");
//! ```

mod source;
mod diagnostic;
mod lex;
mod tree;
mod keyword;
mod syntax;
mod parse;
mod print;
mod format;
mod order;
mod scramble;
mod nearest;
mod goal_value;

pub use diagnostic::{Code, Diagnostic, Fix, Label, Level, Severity};
pub use format::format;
pub use goal_value::goal_value;
pub use keyword::Keyword;
pub use nearest::nearest;
pub use order::source_order;
pub use parse::{MAX_DEPTH, TermError, canonical, codes, parse, parse_bytes, parse_term};
pub use print::write_term;
pub use scramble::{Scrambled, scramble};
pub use senet_ids::{Interner, Symbol};
pub use source::{LineIndex, Places, Span};
pub use syntax::{Atom, Clause, Description, Formula, Term, TermKind, VarId};
