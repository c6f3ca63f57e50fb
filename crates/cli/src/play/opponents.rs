//! Players that think, in the roles that nobody else plays.

use crate::contestant::seed_of_role;
use anyhow::Result;
use senet_game::{Position, RoleId};
use senet_search::{Assignment, Choice, Limit, Player, Report, Rules, Spec};
use std::sync::Arc;
use std::time::Duration;

/// How the other roles are played.
pub(super) struct Opponents {
    rules: Arc<Rules>,
    spec: Spec,
    /// How long each thinks about a move.
    time: Duration,
    seed: u64,
    players: Vec<(usize, Box<dyn Player>)>,
    /// The joint moves so far, in role order.
    played: Vec<Vec<String>>,
}

impl Opponents {
    /// One player for each of these roles.
    pub(super) fn new(
        rules: Arc<Rules>,
        roles: &[usize],
        spec: Spec,
        time: Duration,
        seed: u64,
    ) -> Result<Opponents> {
        let player = |&role: &usize| (role, spec.player(seed_of_role(seed, role)));
        let players = roles.iter().map(player).collect();
        let mut opponents = Opponents { rules, spec, time, seed, players, played: Vec::new() };
        opponents.start()?;
        Ok(opponents)
    }

    pub(super) fn name(&self) -> String {
        self.spec.to_string()
    }

    pub(super) fn plays(&self, role: usize) -> bool {
        self.players.iter().any(|(own, _)| *own == role)
    }

    fn start(&mut self) -> Result<()> {
        for (role, player) in &mut self.players {
            let assignment = Assignment { rules: self.rules.clone(), role: RoleId::new(*role) };
            player.start(assignment, &Limit::after(Duration::ZERO))?;
            self.played.iter().try_for_each(|joint| player.observe(joint))?;
        }
        Ok(())
    }

    /// What a role plays, if an opponent plays it and there is a choice. Nobody waits for one that has none.
    pub(super) fn choose(&mut self, role: usize, position: &Position) -> Result<Option<Choice>> {
        let player = self.players.iter_mut().find(|(own, _)| *own == role);
        let (Some((_, player)), true) = (player, position.legal[role].len() > 1) else { return Ok(None) };
        Ok(Some(player.choose(&Limit::after(self.time))?))
    }

    /// Follows a joint move, in role order.
    pub(super) fn observe(&mut self, joint: Vec<String>) -> Result<()> {
        self.players.iter_mut().try_for_each(|(_, player)| player.observe(&joint))?;
        self.played.push(joint);
        Ok(())
    }

    /// Takes joint moves back: players begin again and follow the rest.
    pub(super) fn take_back(&mut self, n_moves: usize) -> Result<()> {
        self.played.truncate(self.played.len() - n_moves);
        for (role, player) in &mut self.players {
            player.stop();
            *player = self.spec.player(seed_of_role(self.seed, *role));
        }
        self.start()
    }
}

/// What a search found, in a line: `expects 63 of 100 after 20,512 playouts: mark 2 2, mark 1 1`.
pub(super) fn thoughts(role: usize, report: &Report, shown: impl Fn(&str) -> String) -> Option<String> {
    let value = report.value?;
    let value = if report.is_proved {
        format!("has proved {value:.0} of 100")
    } else {
        format!("expects {value:.0} of 100")
    };
    let line = report.line.iter().map(|joint| {
        let own = joint.iter().map(String::as_str);
        // Most often one role moves and the others wait.
        let waiting = |text: &&str| !matches!(*text, "noop" | "(noop)");
        let moves: Vec<String> = own.filter(waiting).map(&shown).collect();
        if moves.is_empty() { shown(&joint[role]) } else { moves.join(" with ") }
    });
    let line: Vec<String> = line.take(MOST_MOVES_TOLD).collect();
    let line = if line.is_empty() { String::new() } else { format!(": {}", line.join(", ")) };
    Some(format!("{value} after {} playouts{line}", report.playouts))
}

const MOST_MOVES_TOLD: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_told_in_a_line() {
        let joint = |moves: [&str; 2]| moves.map(str::to_owned).to_vec();
        let report = Report {
            value: Some(62.6),
            playouts: 20_512,
            line: vec![joint(["(mark 2 2)", "noop"]), joint(["noop", "(mark 1 1)"]), joint(["noop", "noop"])],
            ..Report::default()
        };
        let told = thoughts(0, &report, |text| text.replace(['(', ')'], ""));
        assert_eq!(told.as_deref(), Some("expects 63 of 100 after 20512 playouts: mark 2 2, mark 1 1, noop"));
        let sure = Report { value: Some(100.0), is_proved: true, ..Report::default() };
        assert_eq!(
            thoughts(0, &sure, str::to_owned).as_deref(),
            Some("has proved 100 of 100 after 0 playouts")
        );
        assert_eq!(thoughts(0, &Report::default(), str::to_owned), None);
    }
}
