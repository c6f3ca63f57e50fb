//! Players. Each of them is a [`Player`]: the referee, the protocol player and a match in the terminal never know which
//! one they hold.
//!
//! ```
//! use senet_game::RoleId;
//! use senet_search::{Assignment, Limit, Rules, Spec};
//! use std::time::Duration;
//!
//! let game = senet_engines::library::find("tic-tac-toe").unwrap();
//! let rules = Rules::new(senet_gdl::parse(&game.text))?;
//! let mut player = "random".parse::<Spec>().unwrap().player(7);
//!
//! player.start(Assignment { rules, role: RoleId::new(0) }, &Limit::after(Duration::from_secs(1)))?;
//! let choice = player.choose(&Limit::after(Duration::from_secs(1)))?;
//! assert!(choice.text.starts_with("(mark "));
//! player.observe(&[choice.text, "noop".to_owned()])?;
//! # Ok::<(), senet_search::SearchError>(())
//! ```

mod limit;
mod reserve;
mod later;
mod disposal;
mod segments;
mod table;
mod rules;
mod player;
mod random;
mod fixed;
mod position;
mod playout;
mod thinker;
mod monte_carlo;
mod tree;
mod uct;
pub mod mcts;
mod nested;
mod auto;
mod spec;
#[cfg(test)]
mod testing;

pub use disposal::set_return_memory;
pub use later::Later;
pub use limit::{Limit, Stop};
pub use player::{Assignment, Choice, Player, Report, SearchError};
pub use reserve::Reserve;
pub use rules::{First, Gates, Rules};
pub use spec::{STRATEGY_NAMES, Spec, SpecError};
