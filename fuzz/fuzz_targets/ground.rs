//! Any rulesheet is grounded, or stopped by its budget; and what is ground begins as the rulesheet does.

#![no_main]

use libfuzzer_sys::fuzz_target;
use senet_engine_reference::ReferenceEngine;
use senet_game::AnyEngine;
use senet_ground::{Budget, Method, Mode, Options, ground, write_gdl};
use std::sync::Arc;
use std::time::Duration;

const LONGEST_INPUT: usize = 2_000;
/// Enough for everything of that length that is not made to be large.
const BUDGET: Budget = Budget { time: Some(Duration::from_millis(300)), memory: Some(100 << 20) };
/// The reference engine reads no more in the time there is.
const LONGEST_GROUND: usize = 20_000;

fuzz_target!(|input: &[u8]| {
    let input = &input[..input.len().min(LONGEST_INPUT)];
    let description = senet_gdl::parse_bytes(input);
    let Some(program) = senet_analysis::analyze(&description, false).program else { return };
    for (mode, method) in
        [(Mode::Full, Method::OneStep), (Mode::Paper, Method::OneStep), (Mode::Paper, Method::Iterative)]
    {
        let options = Options { mode, method, budget: BUDGET };
        let Ok(grounding) = ground(&program, &options, &mut |_| ()) else { continue };
        let mut text = Vec::new();
        write_gdl(&grounding.program, &mut text).expect("memory can be written");
        if mode == Mode::Full && text.len() <= LONGEST_GROUND {
            begins_alike(&description, &text);
        }
    }
});

/// Where the rulesheet has a first position, the ground one has the same.
fn begins_alike(description: &senet_gdl::Description, ground: &[u8]) {
    let ground = senet_gdl::parse_bytes(ground);
    let Ok(original) = senet_engines::load("reference", description) else { return };
    let Ok(mut original) = original.start() else { return };
    let ground_engine = ReferenceEngine::new(&ground).expect("a ground game is a rulesheet");
    let mut ground_game = Arc::new(ground_engine).start().expect("a ground game begins");
    assert_eq!(original.position(), ground_game.position());
}
