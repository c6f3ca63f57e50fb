//! Fluents that tell nothing but how many moves were made: the counters that end a match.

use senet_circuit::{Circuit, Wire};

/// As bits of a state: the fluents whose next value depends on no move and on no fluent but others of the kind, and on which
/// neither legal moves nor other fluents depend. They have the same value in all positions after the same number of moves, and
/// nothing but the end and the goal can be told by them. Positions that differ in nothing else are reached early or late,
/// which search takes for the same. Where nothing but counters ends the match, it has to be waited for, and none is given.
pub(crate) fn counters(circuit: &Circuit) -> Vec<u64> {
    let inputs = circuit.net().inputs();
    let depends = effects_of_moves(circuit);
    let mut bits = vec![0; inputs.n_fluents.div_ceil(64)];
    if !depends[circuit.terminal().node()] {
        return bits;
    }
    let is_clock = |fluent: usize| !depends[inputs.fluent(fluent)];
    let others = (0..inputs.n_fluents).filter(|&fluent| !is_clock(fluent));
    let kept = others.map(|fluent| circuit.next()[fluent]).chain(circuit.legal().iter().copied());
    let is_needed = causes_of(circuit, kept);
    for fluent in (0..inputs.n_fluents).filter(|&at| is_clock(at) && !is_needed[inputs.fluent(at)]) {
        bits[fluent / 64] |= 1 << (fluent % 64);
    }
    bits
}

/// By node: whether moves have an effect on it, at once or later.
fn effects_of_moves(circuit: &Circuit) -> Vec<bool> {
    let (net, inputs) = (circuit.net(), circuit.net().inputs());
    let mut users = vec![Vec::new(); net.len()];
    for gate in net.gates() {
        net.operands(gate).iter().for_each(|wire| users[wire.node()].push(gate));
    }
    for (at, wire) in circuit.loops().iter().enumerate() {
        users[wire.node()].push(inputs.a_loop(at));
    }
    for (at, wire) in circuit.next().iter().enumerate() {
        users[wire.node()].push(inputs.fluent(at));
    }
    let moves = (0..inputs.n_moves).map(|at| inputs.a_move(at)).collect();
    reached(vec![false; net.len()], moves, |node| &users[node])
}

/// By node: whether one of these wires depends on it, at once or later, and not only on whether the match is over.
fn causes_of(circuit: &Circuit, wires: impl Iterator<Item = Wire>) -> Vec<bool> {
    let (net, inputs) = (circuit.net(), circuit.net().inputs());
    let mut causes = vec![Vec::new(); net.len()];
    for gate in net.gates() {
        causes[gate] = net.operands(gate).iter().map(|wire| wire.node()).collect();
    }
    for (at, wire) in circuit.loops().iter().enumerate() {
        causes[inputs.a_loop(at)].push(wire.node());
    }
    for (at, wire) in circuit.next().iter().enumerate() {
        causes[inputs.fluent(at)].push(wire.node());
    }
    // Wherever a move is made the match is not over, which tells nothing of the counter that will end it.
    let mut is_reached = vec![false; net.len()];
    is_reached[circuit.terminal().node()] = true;
    reached(is_reached, wires.map(|wire| wire.node()).collect(), |node| &causes[node])
}

fn reached<'a>(
    mut is_reached: Vec<bool>,
    mut waiting: Vec<usize>,
    after: impl Fn(usize) -> &'a [usize],
) -> Vec<bool> {
    while let Some(node) = waiting.pop() {
        if !std::mem::replace(&mut is_reached[node], true) {
            waiting.extend_from_slice(after(node));
        }
    }
    is_reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limit;
    use crate::testing::rules;

    #[test]
    fn a_match_that_only_a_counter_ends_has_none() {
        let patience = "(role robot) (init (step 0)) (init (at a)) (legal robot (go a)) (legal robot (go b))
            (succ 0 1) (succ 1 2) (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
            (<= (next (at ?x)) (does robot (go ?x))) (<= (goal robot 100) (true (at b)))
            (<= (goal robot 0) (true (at a))) (<= terminal (true (step 2)))";
        for (end, is_there) in [("", false), ("(<= terminal (true (at b)))", true)] {
            let rules = crate::Rules::new(senet_gdl::parse(&format!("{patience} {end}"))).expect("it plays");
            let gates = rules.gates().wait(&Limit::default()).expect("no limit").as_ref().expect("small");
            assert_eq!(counters(&gates.circuit).iter().any(|&word| word != 0), is_there);
        }
    }

    #[test]
    fn a_clock_that_decides_what_can_be_done_is_no_counter() {
        let lights = "(role robot) (init (light red)) (init (step 0)) (init (side near))
            (turn red green) (turn green red) (succ 0 1) (succ 1 2) (succ 2 3)
            (<= (legal robot wait) (not terminal)) (<= (legal robot cross) (true (light green)) (true (side near)))
            (<= (next (light ?y)) (true (light ?x)) (turn ?x ?y))
            (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
            (<= (next (side far)) (does robot cross)) (<= (next (side far)) (true (side far)))
            (<= (next (side near)) (true (side near)) (not (does robot cross)))
            (<= terminal (true (side far))) (<= terminal (true (step 3)))
            (<= (goal robot 100) (true (side far))) (<= (goal robot 0) (true (side near)))";
        let rules = crate::Rules::new(senet_gdl::parse(lights)).expect("it plays");
        let gates = rules.gates().wait(&Limit::default()).expect("no limit").as_ref().expect("small");
        let bits = counters(&gates.circuit);
        for (at, text) in gates.circuit.signature().fluents.iter().enumerate() {
            assert_eq!(bits[at / 64] >> (at % 64) & 1 == 1, text.starts_with("(step "), "{text}");
        }
        let mut player = "nested".parse::<crate::Spec>().expect("a strategy").player(1);
        let assignment = crate::Assignment { rules, role: senet_game::RoleId::new(0) };
        player.start(assignment, &Limit::default()).expect("it plays");
        let choice = player.choose(&Limit::default().with_playouts(100)).expect("a move");
        assert_eq!((&*choice.text, choice.report.value), ("wait", Some(100.0)));
    }

    #[test]
    fn steps_are_counters_and_nothing_else_is() {
        for (game, counter) in
            [("hanoi-6", "(step "), ("eight-puzzle", "(step "), ("lights-out-5x5", "(step ")]
        {
            let rules = rules(game);
            let gates = rules.gates().wait(&Limit::default()).expect("no limit").as_ref().expect("small");
            let bits = counters(&gates.circuit);
            for (at, text) in gates.circuit.signature().fluents.iter().enumerate() {
                assert_eq!(bits[at / 64] >> (at % 64) & 1 == 1, text.starts_with(counter), "{game} {text}");
            }
        }
    }
}
