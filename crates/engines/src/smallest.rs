//! The smaller of two circuits of a game.

use crate::Refusal;
use senet_analysis::Program;
use senet_circuit::{Circuit, build};
use senet_ground::{Budget, Mode, Options, ground};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// Where gates are few, each of them counts, and it takes little time to look.
const MOST_GATES: usize = 4_000;
/// Rules as they are written may have a hundred times as many instances. No bound on the time but the given one: which
/// circuit is kept, and so which matches a seed gives, must not depend on how fast a processor is.
const LITTLE_MEMORY: usize = 2 << 20;

/// Conditions of rules are split, so that what they have in common is computed once; in some games gates of rules as
/// they are written have more in common. Small games are built both ways.
pub(crate) fn smallest_circuit(
    program: &Program,
    budget: Budget,
    called_off: Option<&AtomicBool>,
) -> Result<Circuit, Refusal> {
    let split = circuit(program, Mode::Full, budget, called_off)?;
    if n_gates(&split) > MOST_GATES {
        return Ok(split);
    }
    let little = Budget { memory: budget.memory.into_iter().chain([LITTLE_MEMORY]).min(), ..budget };
    match circuit(program, Mode::Unsplit, little, called_off) {
        Ok(whole) if n_gates(&whole) < n_gates(&split) => Ok(whole),
        _ => Ok(split),
    }
}

/// Unwinds through the grounder.
struct CalledOff;

fn circuit(
    program: &Program,
    mode: Mode,
    budget: Budget,
    called_off: Option<&AtomicBool>,
) -> Result<Circuit, Refusal> {
    let options = Options { mode, budget, ..Options::default() };
    let is_called_off = || called_off.is_some_and(|called_off| called_off.load(Ordering::Relaxed));
    // The grounder tells how far it is and asks nothing: unwinding is the way out of it.
    let mut watch = |_| {
        if is_called_off() {
            resume_unwind(Box::new(CalledOff));
        }
    };
    let ground = match catch_unwind(AssertUnwindSafe(|| ground(program, &options, &mut watch))) {
        Ok(ground) => ground.map_err(Refusal::NotGrounded)?,
        Err(payload) if payload.is::<CalledOff>() => return Err(refusal_when_called_off()),
        Err(payload) => resume_unwind(payload),
    };
    if is_called_off() {
        return Err(refusal_when_called_off());
    }
    Ok(build(&ground.program)?)
}

fn refusal_when_called_off() -> Refusal {
    Refusal::Other("it was called off".to_owned())
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
            let description = senet_gdl::parse(&game.text);
            let program = analyze(&description, false).program.expect("its rules are right");
            let unlimited = Budget::default();
            let [split, unsplit] = [Mode::Full, Mode::Unsplit]
                .map(|mode| n_gates(&circuit(&program, mode, unlimited, None).expect("it is small")));
            assert_eq!(unsplit < split, is_smaller_unsplit, "{name}");
            let kept = n_gates(&smallest_circuit(&program, unlimited, None).expect("it is small"));
            assert_eq!(kept, split.min(unsplit), "{name}");
        }
    }

    #[test]
    fn grounding_is_called_off_in_the_middle() {
        // A million facts, each of which is a piece of work.
        let rules = "(role robot) (legal robot noop) (goal robot 0) (init (n 1))
            (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)
            (<= (base (n ?a ?b ?c ?e ?f ?g ?h ?i)) (d ?a) (d ?b) (d ?c) (d ?e) (d ?f) (d ?g) (d ?h) (d ?i))
            (<= (next (n ?a ?b ?c ?e ?f ?g ?h ?i)) (true (n ?x)) (d ?a) (d ?b) (d ?c) (d ?e) (d ?f) (d ?g) (d ?h)
                (d ?i)) (<= terminal (true (n 9)))";
        let program = analyze(&senet_gdl::parse(rules), false).program.expect("its rules are right");
        let called_off = AtomicBool::new(false);
        let refused = std::thread::scope(|scope| {
            let making = scope.spawn(|| smallest_circuit(&program, Budget::default(), Some(&called_off)));
            std::thread::sleep(std::time::Duration::from_millis(100));
            called_off.store(true, Ordering::Relaxed);
            making.join().expect("it does not panic")
        });
        assert_eq!(refused.map(drop).expect_err("it was called off").to_string(), "it was called off");
    }
}
