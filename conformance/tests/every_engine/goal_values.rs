//! The value of a goal is an integer from 0 to 100 in digits, on every engine.

use libtest_mimic::{Failed, Trial};
use senet_conformance::{Game, Sheet, engines};
use senet_game::PlayoutOptions;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The terms of the goals that hold, and the value of the role.
const GOALS: [(&[&str], Option<u8>); 29] = [
    (&[], None),
    (&["0"], Some(0)),
    (&["50"], Some(50)),
    (&["100"], Some(100)),
    (&["007"], Some(7)),
    (&["0100"], Some(100)),
    (&["00"], Some(0)),
    (&["000000000000000000000000000000000000000000000042"], Some(42)),
    (&["+50"], None),
    (&["+0"], None),
    (&["-1"], None),
    (&["-0"], None),
    (&["101"], None),
    (&["0101"], None),
    (&["256"], None),
    (&["306"], None),
    (&["18446744073709551616"], None),
    (&["1e2"], None),
    (&["50.0"], None),
    (&["0x10"], None),
    (&["won"], None),
    (&["(f 50)"], None),
    (&["50", "50"], Some(50)),
    (&["50", "100"], None),
    (&["50", "050"], None),
    (&["50", "+50"], None),
    (&["50", "won"], None),
    (&["50", "(f 50)"], None),
    (&["(f 50)", "(g 50)", "101"], None),
];

pub(crate) fn trials(_: &[Arc<Game>]) -> Vec<Trial> {
    engines()
        .map(|engine| Trial::test(format!("goal-values/{engine}"), move || values_are_read_alike(engine)))
        .collect()
}

fn values_are_read_alike(engine: &'static str) -> Result<(), Failed> {
    for (goals, value) in GOALS {
        let each = |form: &str| goals.iter().map(|term| form.replace('V', term)).collect::<String>();
        for (kind, rules) in [
            ("facts", each("(goal x V)")),
            ("rules", each("(<= (goal x V) (true over))")),
            ("fluents", each("(<= (next (score V)) (true on))") + "(<= (goal x ?v) (true (score ?v)))"),
        ] {
            has_value(engine, &rules, value)
                .map_err(|error| format!("{kind} {goals:?}: {}", error.message().unwrap_or("no message")))?;
        }
    }
    Ok(())
}

fn has_value(engine: &'static str, rules: &str, value: Option<u8>) -> Result<(), Failed> {
    let sheet = Sheet::read(&format!(
        "(role x) (role y) (init on) (<= (legal ?r go) (role ?r)) (<= (next over) (true on))
         (<= terminal (true over)) (<= (goal y 30) (true over)) {rules}"
    ))?;
    let engine = sheet.engine(engine)?;
    let mut game = engine.clone().start()?;
    game.play(&BTreeMap::from([("x".to_owned(), "go".to_owned()), ("y".to_owned(), "go".to_owned())]))?;
    let found = game.position().goals;
    if found != [value, Some(30)] {
        return Err(format!("goals {found:?}, not {value:?}").into());
    }
    let statistics = engine.playouts(PlayoutOptions::new(64, 1))?;
    let counts = [if value.is_some() { statistics.playouts } else { 0 }, statistics.playouts];
    let mean = statistics.mean_goals();
    let expected = [value.map(f64::from), Some(30.0)];
    match statistics.playouts >= 64 && statistics.goal_counts == counts && mean == expected {
        true => Ok(()),
        false => Err(format!("{statistics:?}, not {value:?}").into()),
    }
}
