//! GaDeLaC's languages between GDL and an engine that runs rules forward.
//!
//! MINI-GDL ([`mini`]) has no syntactic sugar, NORMAL-GDL ([`normal`]) has at most two literals in a body, INVERTED-GDL
//! ([`inverted`]) tells for each relation which rules its facts trigger. Each can be printed (`to_text`). An engine may
//! change rules of MINI-GDL before it runs them: by shapes of fluents ([`shapes`]), on demand ([`demand`]), without
//! unions ([`unions`]).

pub mod mini;
pub mod normal;
pub mod strata;
pub mod inverted;
pub mod shapes;
pub mod demand;
pub mod unions;
pub mod persistent;
pub mod stages;
pub mod form;
mod names;
mod print;
#[cfg(test)]
mod testing;

pub use names::unique_names;
