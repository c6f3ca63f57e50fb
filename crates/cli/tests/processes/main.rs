//! Tests with processes of their own: players, referees and duels, some of which are killed.

mod common;
mod cuts;
mod duel;
mod endings;
mod matches;
mod players;
