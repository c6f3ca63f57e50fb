//! What tests of players share.

use crate::{Assignment, Limit, Player, Rules, Spec};
use senet_game::{AnyMatch, RoleId};
use std::sync::Arc;

/// A built-in game.
pub(crate) fn rules(game: &str) -> Arc<Rules> {
    let game = senet_engines::library::find(game).expect("built in");
    Rules::new(senet_gdl::parse(&game.text)).expect("it plays")
}

/// A player at the beginning of a match.
pub(crate) fn started(game: &str, spec: &str, role: usize, seed: u64) -> Box<dyn Player> {
    let mut player = spec.parse::<Spec>().expect("a strategy").player(seed);
    let assignment = Assignment { rules: rules(game), role: RoleId::new(role) };
    player.start(assignment, &Limit::default()).expect("it plays");
    player
}

/// Plays a match to its end and gives the goals. Each player has the limit for each move.
pub(crate) fn play(rules: &Arc<Rules>, players: &mut [Box<dyn Player>], limit: &Limit) -> Vec<u8> {
    for (role, player) in players.iter_mut().enumerate() {
        let assignment = Assignment { rules: rules.clone(), role: RoleId::new(role) };
        player.start(assignment, &Limit::default()).expect("it plays");
    }
    let mut game: Box<dyn AnyMatch> = rules.engine().start().expect("it plays");
    loop {
        let position = game.position();
        if position.terminal {
            players.iter_mut().for_each(|player| player.stop());
            return position.goals.into_iter().map(|goal| goal.unwrap_or(0)).collect();
        }
        let choices = players.iter_mut().map(|player| player.choose(limit).expect("a move").text);
        let joint: Vec<String> = choices.collect();
        let names = rules.role_names().iter().cloned();
        game.play(&names.zip(joint.iter().cloned()).collect()).expect("players choose legal moves");
        players.iter_mut().for_each(|player| player.observe(&joint).expect("it was legal"));
    }
}
