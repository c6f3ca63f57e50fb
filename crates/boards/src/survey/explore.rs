//! A look at random matches.

use super::Survey;
use senet_game::{AnyEngine, AnyMatch, MoveGenerator, Position, RoleId};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long to look, and how much of random matches.
const LONGEST: Duration = Duration::from_millis(500);
const MOST_MATCHES: usize = 24;
const MOST_MOVES: usize = 80;
/// So many positions are looked at even if that takes longer, so that slow machines draw the same...
const FEWEST_POSITIONS: usize = 60;
/// ... but not longer than this.
const PATIENCE: Duration = Duration::from_secs(4);

impl Survey {
    /// Looks at a few random matches, the same each time.
    ///
    /// Errors of the rules end the look: a match that comes to them will tell.
    pub fn explore(&mut self, engine: &Arc<dyn AnyEngine>) {
        let Ok(mut game) = engine.clone().start() else { return };
        let start = Instant::now();
        let mut generator = MoveGenerator::new(0);
        for _ in 0..MOST_MATCHES {
            self.begin();
            for _ in 0..MOST_MOVES {
                let position = game.position();
                self.observe(&position);
                let elapsed = start.elapsed();
                let is_late = elapsed > LONGEST && self.snapshots.len() >= FEWEST_POSITIONS;
                if is_late || elapsed > PATIENCE || !self.has_room() {
                    return;
                }
                if position.terminal || !self.play_at_random(&mut *game, &position, &mut generator) {
                    break;
                }
            }
            if game.restart().is_err() {
                return;
            }
        }
    }

    fn play_at_random(
        &mut self,
        game: &mut dyn AnyMatch,
        position: &Position,
        generator: &mut MoveGenerator,
    ) -> bool {
        let roles = self.roles().to_vec();
        if position.legal.len() != roles.len() || position.legal.iter().any(Vec::is_empty) {
            return false;
        }
        let draw = |role| game.random_move(RoleId::new(role), generator).ok();
        let Some(moves) = (0..roles.len()).map(draw).collect::<Option<Vec<String>>>() else { return false };
        self.play(moves.iter().map(String::as_str));
        game.play(&roles.into_iter().zip(moves).collect::<BTreeMap<_, _>>()).is_ok()
    }
}
