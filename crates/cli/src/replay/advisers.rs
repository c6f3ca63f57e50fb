//! Players who are asked about a match that others played.

use crate::contestant::seed_of_role;
use anyhow::Result;
use senet_game::{Position, RoleId};
use senet_search::{Assignment, Choice, Limit, Player, Rules, Spec};
use std::sync::Arc;
use std::time::Duration;

/// A player for each role that is asked for.
pub(super) struct Advisers {
    players: Vec<(usize, Box<dyn Player>)>,
    time: Duration,
}

/// What a player would have done.
pub(super) struct Advice {
    pub(super) role: usize,
    pub(super) choice: Choice,
    /// Whether it was done.
    pub(super) is_same: bool,
}

impl Advisers {
    pub(super) fn new(
        spec: &Spec,
        rules: &Arc<Rules>,
        only: Option<usize>,
        seed: u64,
        time: Duration,
    ) -> Result<Advisers> {
        let mut players = Vec::new();
        for (role, name) in rules.role_names().iter().enumerate() {
            if only.map_or(name != "random", |only| only == role) {
                let mut player = spec.player(seed_of_role(seed, role));
                let assignment = Assignment { rules: rules.clone(), role: RoleId::new(role) };
                player.start(assignment, &Limit::after(time))?;
                players.push((role, player));
            }
        }
        Ok(Advisers { players, time })
    }

    /// Asks those who have a choice, and tells all of them what was done.
    pub(super) fn ask(&mut self, position: &Position, moves: &[String]) -> Result<Vec<Advice>> {
        let mut advice = Vec::new();
        for (role, player) in &mut self.players {
            if position.legal[*role].len() > 1 {
                let choice = player.choose(&Limit::after(self.time))?;
                let is_same = choice.text == moves[*role];
                advice.push(Advice { role: *role, choice, is_same });
            }
            // A move that is not legal is found by the one who checks the record.
            let is_legal = |(moves, text): (&Vec<String>, &String)| moves.binary_search(text).is_ok();
            if position.legal.iter().zip(moves).all(is_legal) {
                player.observe(moves)?;
            }
        }
        Ok(advice)
    }
}
