//! The smaller of two circuits of a game.

use crate::Refusal;
use senet_analysis::Program;
use senet_circuit::{Circuit, build};
use senet_ground::{Budget, Mode, Options, ground};

/// Where gates are few, each of them counts, and it takes little time to look.
const MOST_GATES: usize = 4_000;
/// Rules as they are written may have a hundred times as many instances. No bound on the time but the given one: which
/// circuit is kept, and so which matches a seed gives, must not depend on how fast a processor is.
const LITTLE_MEMORY: usize = 2 << 20;

/// Conditions of rules are split, so that what they have in common is computed once; in some games gates of rules as
/// they are written have more in common. Small games are built both ways.
pub(crate) fn smallest_circuit(program: &Program, budget: Budget) -> Result<Circuit, Refusal> {
    let split = circuit(program, Mode::Full, budget)?;
    if n_gates(&split) > MOST_GATES {
        return Ok(split);
    }
    let little = Budget { memory: budget.memory.into_iter().chain([LITTLE_MEMORY]).min(), ..budget };
    match circuit(program, Mode::Unsplit, little) {
        Ok(whole) if n_gates(&whole) < n_gates(&split) => Ok(whole),
        _ => Ok(split),
    }
}

fn circuit(program: &Program, mode: Mode, budget: Budget) -> Result<Circuit, Refusal> {
    let options = Options { mode, budget, ..Options::default() };
    let ground = ground(program, &options, &mut |_| ()).map_err(Refusal::NotGrounded)?;
    Ok(build(&ground.program)?)
}

fn n_gates(circuit: &Circuit) -> usize {
    circuit.net().n_binary_gates()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use senet_analysis::analyze;

    #[test]
    fn the_smaller_one_is_kept() {
        for (name, is_smaller_unsplit) in [("tic-tac-toe", false), ("hanoi-6", true), ("connect-four", false)]
        {
            let game = library::find(name).expect("a built-in game");
            let description = senet_gdl::parse(&game.text).0;
            let program = analyze(&description, Vec::new(), false).program.expect("its rules are right");
            let unlimited = Budget::default();
            let [split, unsplit] = [Mode::Full, Mode::Unsplit]
                .map(|mode| n_gates(&circuit(&program, mode, unlimited).expect("it is small")));
            assert_eq!(unsplit < split, is_smaller_unsplit, "{name}");
            let kept = n_gates(&smallest_circuit(&program, unlimited).expect("it is small"));
            assert_eq!(kept, split.min(unsplit), "{name}");
        }
    }
}
