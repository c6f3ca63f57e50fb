//! GaDeLaC's languages between GDL and an engine that runs rules forward.
//!
//! MINI-GDL ([`mini`]) has no syntactic sugar, NORMAL-GDL ([`normal`]) has at most two literals in a body, INVERTED-GDL
//! ([`inverted`]) tells for each relation which rules its facts trigger. Each can be printed (`to_text`).

pub mod mini;
pub mod normal;
pub mod strata;
pub mod inverted;
mod names;
mod print;

pub use names::unique_names;
