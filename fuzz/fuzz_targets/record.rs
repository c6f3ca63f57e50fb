//! Any bytes are a record or are refused; a record is written and read as the same, and can be held against rules.

#![no_main]

use libfuzzer_sys::fuzz_target;
use senet_engine_reference::ReferenceEngine;
use senet_protocol::{Record, Walk};
use std::sync::{Arc, LazyLock};

/// Small enough that a position takes no time.
const RULES: &str = include_str!("../../games/lines/tic-tac-toe.kif");

static ENGINE: LazyLock<Arc<ReferenceEngine>> =
    LazyLock::new(|| Arc::new(ReferenceEngine::new(&senet_gdl::parse(RULES)).expect("it plays")));

fuzz_target!(|input: &[u8]| {
    let Ok(record) = Record::from_json(input) else { return };
    let written = record.to_json();
    let again = Record::from_json(written.as_bytes()).expect("what is written is read");
    assert_eq!(again.to_json(), written);
    let Ok(mut walk) = Walk::new(&record, ENGINE.clone()) else { return };
    while let Ok(true) = walk.go_on() {}
});
