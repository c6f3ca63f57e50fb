//! Fluents that tell nothing but how many moves were made: the counters that end a match.

use senet_circuit::Circuit;

/// As bits of a state: the fluents whose next value depends on no move and on no fluent but others of the kind. They have the
/// same value in all positions after the same number of moves. Positions that differ in nothing else are reached early or
/// late, which search takes for the same. Where nothing but counters ends the match, it has to be waited for, and none is
/// given.
pub(crate) fn counters(circuit: &Circuit) -> Vec<u64> {
    let (net, inputs) = (circuit.net(), circuit.net().inputs());
    let mut users = vec![Vec::new(); net.len()];
    for gate in net.gates() {
        net.operands(gate).iter().for_each(|wire| users[wire.node()].push(gate as u32));
    }
    for (at, wire) in circuit.loops().iter().enumerate() {
        users[wire.node()].push(inputs.a_loop(at) as u32);
    }
    for (at, wire) in circuit.next().iter().enumerate() {
        users[wire.node()].push(inputs.fluent(at) as u32);
    }
    // Whatever moves have an effect on, at once or later.
    let mut depends = vec![false; net.len()];
    let mut waiting: Vec<u32> = (0..inputs.n_moves).map(|at| inputs.a_move(at) as u32).collect();
    while let Some(node) = waiting.pop() {
        if !std::mem::replace(&mut depends[node as usize], true) {
            waiting.extend_from_slice(&users[node as usize]);
        }
    }
    let mut bits = vec![0; inputs.n_fluents.div_ceil(64)];
    if !depends[circuit.terminal().node()] {
        return bits;
    }
    for fluent in (0..inputs.n_fluents).filter(|&at| !depends[inputs.fluent(at)]) {
        bits[fluent / 64] |= 1 << (fluent % 64);
    }
    bits
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
            let rules =
                crate::Rules::new(senet_gdl::parse(&format!("{patience} {end}")).0).expect("it plays");
            let gates = rules.gates().wait(&Limit::default()).expect("no limit").as_ref().expect("small");
            assert_eq!(counters(&gates.circuit).iter().any(|&word| word != 0), is_there);
        }
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
