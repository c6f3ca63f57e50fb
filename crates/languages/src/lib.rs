//! GaDeLaC's languages between GDL and an engine that runs rules forward.
//!
//! MINI-GDL has no syntactic sugar: it is a [`RuleSet`](senet_rules::RuleSet), and [`mini_text`]
//! prints it. NORMAL-GDL ([`normal`]) has at most two literals in a body, INVERTED-GDL
//! ([`inverted`]) tells for each relation which rules its facts trigger. Both can be printed
//! (`to_text`).

pub mod normal;
pub mod strata;
pub mod inverted;
mod names;
mod print;

pub use names::unique_names;
pub use print::mini_text;
