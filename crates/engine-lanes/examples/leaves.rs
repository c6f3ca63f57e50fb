//! How fast leaves are played and expanded: `cargo run --example leaves -- GAME.kif…`.

use senet_engine_lanes::LanesEngine;
use senet_game::{Engine, MoveGenerator, roles};
use std::sync::Arc;
use std::time::Instant;

#[allow(clippy::print_stdout)]
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("a rulesheet");
        let description = senet_gdl::parse(&text);
        let program = senet_analysis::analyze(&description, false).program.expect("right rules");
        let ground = senet_ground::ground(&program, &senet_ground::Options::default(), &mut |_| ());
        let circuit = senet_circuit::build(&ground.expect("it is ground").program).expect("a circuit");
        let engine = LanesEngine::new(Arc::new(circuit)).expect("few moves");
        let (mut batch, mut generator) = (engine.worker(), MoveGenerator::new(1));
        let (mut states, mut joints, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        while states.len() < 1_000 {
            let mut state: Box<[u64]> = engine.states().initial().into();
            while !engine.is_terminal(&mut batch, &state).expect("it plays") {
                let mut joint = Vec::new();
                for role in roles(&engine) {
                    engine.legals(&mut batch, &state, role, &mut moves).expect("it plays");
                    joint.push(generator.choose(&moves).expect("a move"));
                }
                let next = engine.step(&mut batch, &state, &joint).expect("it plays");
                states.push(std::mem::replace(&mut state, next));
                joints.push(joint);
            }
        }
        println!("{path}: {} operations", engine.n_operations());
        for n_lanes in [8, 16, 32, 64] {
            for wanted in [1, 1024 / n_lanes / 8, 1024 / n_lanes] {
                let mut leaves = engine.leaves(1, 1_000);
                let (mut at, mut n_leaves) = (0, 0_u64);
                let start = Instant::now();
                while start.elapsed().as_secs_f64() < 0.2 {
                    while leaves.n_free() >= n_lanes && leaves.put(at as u32, &states[at], n_lanes) {
                        at = (at + 1) % states.len();
                    }
                    leaves.play(wanted.max(1), || true);
                    leaves.take(|_| n_leaves += 1);
                }
                let rate = n_leaves as f64 / start.elapsed().as_secs_f64();
                println!(
                    "  {n_lanes} of {} lanes, {wanted} at a time: {:.0} k leaves/s, {:.2} M playouts/s",
                    leaves.n_lanes(),
                    rate / 1e3,
                    rate * n_lanes as f64 / 1e6
                );
            }
        }
        let mut expander = engine.expander();
        for n in [16, 256] {
            let (mut n_steps, mut n_legal) = (0_u64, 0_u64);
            let start = Instant::now();
            while start.elapsed().as_secs_f64() < 0.1 {
                expander.step(n, |at| (&states[at], &joints[at]), |_| n_steps += 1);
            }
            let step = n_steps as f64 / start.elapsed().as_secs_f64();
            let start = Instant::now();
            let mut n_asked = 0;
            while start.elapsed().as_secs_f64() < 0.1 {
                expander.legal_moves(n, |at| &states[at], |_, _, _| n_legal += 1);
                n_asked += n;
            }
            let legal = n_asked as f64 / start.elapsed().as_secs_f64();
            println!(
                "  {n} together: {:.2} M successors/s, legal moves of {:.2} M/s",
                step / 1e6,
                legal / 1e6
            );
        }
    }
}
