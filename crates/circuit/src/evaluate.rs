//! What a circuit computes, in the simplest way: for tests of what changes circuits.

use crate::circuit::Circuit;
use crate::steps::{Step, steps};
use crate::wire::Wire;

/// Everything there is to see of a state with some moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answers {
    pub(crate) next: Vec<bool>,
    pub(crate) legal: Vec<bool>,
    pub(crate) terminal: bool,
    pub(crate) goals: Vec<Vec<bool>>,
}

/// The values of wires where some fluents and moves are on.
pub(crate) fn values(circuit: &Circuit, wires: &[Wire], fluents: &[bool], moves: &[bool]) -> Vec<bool> {
    let (net, inputs) = (circuit.net(), circuit.net().inputs());
    let mut is_on = vec![false; net.len()];
    fluents.iter().enumerate().for_each(|(at, &on)| is_on[inputs.fluent(at)] = on);
    moves.iter().enumerate().for_each(|(at, &on)| is_on[inputs.a_move(at)] = on);
    let (steps, blocks) = steps(circuit, wires.iter().copied());
    let value = |is_on: &[bool], wire: Wire| is_on[wire.node()] != wire.is_negated();
    let compute = |is_on: &mut Vec<bool>, gate: usize| {
        is_on[gate] = net.operands(gate).iter().all(|&wire| value(is_on, wire));
    };
    for step in steps {
        match step {
            Step::Gate(gate) => compute(&mut is_on, gate),
            Step::Block(block) => loop {
                let cyclic = blocks[block].as_ref().expect("blocks that are computed are described");
                cyclic.gates.iter().for_each(|&gate| compute(&mut is_on, gate));
                let mut has_grown = false;
                for at in circuit.blocks()[block].clone() {
                    let new = value(&is_on, circuit.loops()[at]);
                    has_grown |= new && !is_on[inputs.a_loop(at)];
                    is_on[inputs.a_loop(at)] = new;
                }
                if !has_grown {
                    break;
                }
            },
        }
    }
    wires.iter().map(|&wire| value(&is_on, wire)).collect()
}

pub(crate) fn answers(circuit: &Circuit, fluents: &[bool], moves: &[bool]) -> Answers {
    let of = |wires: &[Wire]| values(circuit, wires, fluents, moves);
    let goals =
        circuit.goals().iter().map(|goals| of(&goals.iter().map(|goal| goal.wire).collect::<Vec<_>>()));
    Answers {
        next: of(circuit.next()),
        legal: of(circuit.legal()),
        terminal: of(&[circuit.terminal()])[0],
        goals: goals.collect(),
    }
}

/// A game as gates, and nothing done to them.
pub(crate) fn translated(text: &str) -> Circuit {
    let description = senet_gdl::parse(text);
    let analysis = senet_analysis::analyze(&description, false);
    let program = analysis.program.expect("the rules are right");
    let ground = senet_ground::ground(&program, &senet_ground::Options::default(), &mut |_| ());
    crate::build::translate(&ground.expect("the game is small").program).expect("there is a circuit")
}

/// A built-in game.
pub(crate) fn built_in(path: &str) -> String {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(path);
    std::fs::read_to_string(file).expect("the game is built in")
}

/// Games of different kinds: turns, simultaneous moves, cycles, one role.
pub(crate) const GAMES: [&str; 5] = [
    "lines/tic-tac-toe.kif",
    "breakthrough/breakthrough-6x6.kif",
    "hex/hex-7x7.kif",
    "tron/tron-10x10.kif",
    "puzzles/eight-puzzle.kif",
];

/// A random play: states and the moves made in them, and what a circuit says of each.
pub(crate) fn random_play(circuit: &Circuit, mut seed: u64) -> Vec<(Vec<bool>, Vec<bool>)> {
    let signature = circuit.signature();
    let mut fluents = vec![false; signature.fluents.len()];
    signature.init.iter().for_each(|&at| fluents[at as usize] = true);
    let mut play = Vec::new();
    for _ in 0..60 {
        let now = answers(circuit, &fluents, &vec![false; signature.moves.len()]);
        let mut moves = vec![false; signature.moves.len()];
        if !now.terminal {
            for own in &signature.moves_of {
                let legal: Vec<usize> = own.clone().filter(|&at| now.legal[at]).collect();
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                moves[legal[(seed >> 33) as usize % legal.len()]] = true;
            }
        }
        play.push((fluents.clone(), moves.clone()));
        if now.terminal {
            break;
        }
        fluents = answers(circuit, &fluents, &moves).next;
    }
    play
}

/// Whether a pass leaves what is computed as it was, in random plays of all games.
pub(crate) fn check_unchanged(pass: impl Fn(&mut Circuit)) {
    for game in GAMES {
        let before = translated(&built_in(game));
        let mut after = before.clone();
        pass(&mut after);
        for seed in 0..4 {
            for (fluents, moves) in random_play(&before, seed) {
                let [old, new] = [&before, &after].map(|circuit| answers(circuit, &fluents, &moves));
                let is_over = old.terminal;
                assert_eq!(
                    (old.legal, old.terminal, old.goals),
                    (new.legal, new.terminal, new.goals),
                    "{game}"
                );
                assert!(is_over || old.next == new.next, "{game}");
            }
        }
    }
}
