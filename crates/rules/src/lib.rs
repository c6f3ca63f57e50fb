//! Rules by context, over numbered terms.
//!
//! [`RuleSet`] holds the rules that a game needs: a relation is one for each context in which it is
//! derived, so that `legal` sees no moves and `init` no position ([`Lowering`]). [`stages`] puts
//! relations after those they use. An engine may change rules before it runs them: by shapes of
//! fluents ([`shapes`]), on demand ([`demand`]), without unions ([`unions`]), with facts that stay
//! ([`persistent`]).
//!
//! ```
//! use senet_rules::{Lifetime, RuleSet};
//!
//! let description = senet_gdl::parse("(role x) (<= (legal x go) (true on)) (<= (next on) (true on))");
//! let program = senet_analysis::analyze(&description, false).program.unwrap();
//! let rule_set = RuleSet::new(&program);
//! assert_eq!(rule_set.lifetime(rule_set.keywords.legal), Lifetime::Position);
//! assert_eq!(rule_set.rules_of(rule_set.keywords.next).count(), 1);
//! ```

mod var_set;
mod pattern;
mod rule;
mod substitution;
mod lower;
mod rule_set;
mod uses;
mod roles;
pub mod stages;
pub mod form;
pub mod shapes;
pub mod persistent;
pub mod unions;
pub mod demand;
#[cfg(test)]
mod testing;

pub use lower::{Lifetime, LoweredRules, Lowering, RelationInContext};
pub use pattern::{Leaf, Pattern, are_different_variables};
pub use roles::sort_roles;
pub use rule::{Atom, Literal, RelId, Rule};
pub use rule_set::{Keywords, Relation, RuleSet};
pub use substitution::{Clash, Substitution};
pub use uses::add_users;
pub use var_set::VarSet;
