//! The reference engine against the plainest evaluator there is, on random small games.

mod evaluator;
mod programs;

use evaluator::{Evaluator, Ground};
use proptest::prelude::*;
use senet_engine_reference::ReferenceEngine;
use senet_game::{Engine, roles};
use senet_gdl::{Keyword, goal_value};

/// Plays the moves that `choices` pick and compares every answer on the way.
fn compare(text: &str, choices: &[u8]) -> Result<(), TestCaseError> {
    let description = senet_gdl::parse(text);
    prop_assert_eq!(description.findings(), []);
    let naive = Evaluator::new(&description);
    let model = |fluents: &[Ground], moves: &[[Ground; 2]]| {
        naive.model(fluents, moves).ok_or_else(|| TestCaseError::fail("a generated game contradicts itself"))
    };
    let first =
        |rows: Vec<Vec<Ground>>| rows.into_iter().map(|mut row| row.swap_remove(0)).collect::<Vec<_>>();
    let texts = |terms: &[Ground]| {
        let mut texts: Vec<_> = terms.iter().map(|term| naive.text(term)).collect();
        texts.sort_unstable();
        texts
    };

    let fail = |error| TestCaseError::fail(format!("{error}"));
    let engine = ReferenceEngine::new(&description).map_err(fail)?;
    let mut worker = engine.worker();
    let mut state = engine.initial(&mut worker).map_err(fail)?;
    let mut fluents = first(naive.rows(&model(&[], &[])?, Keyword::Init));
    for &choice in choices {
        prop_assert_eq!(engine.facts(&mut worker, &state), texts(&fluents), "facts");
        let now = model(&fluents, &[])?;
        let terminal = !naive.rows(&now, Keyword::Terminal).is_empty();
        prop_assert_eq!(engine.is_terminal(&mut worker, &state).map_err(fail)?, terminal, "terminal");
        let (legal, goals) = (naive.rows(&now, Keyword::Legal), naive.rows(&now, Keyword::Goal));
        let (mut joint, mut ground_joint) = (Vec::new(), Vec::new());
        for role in roles(&engine) {
            let name = &engine.role_names()[role.index()];
            let of_role = |rows: &[Vec<Ground>]| -> Vec<[Ground; 2]> {
                let own = rows.iter().filter(|row| naive.text(&row[0]) == *name);
                own.map(|row| [row[0].clone(), row[1].clone()]).collect()
            };
            let values: Vec<_> = of_role(&goals).iter().map(|[_, value]| naive.text(value)).collect();
            let goal = if let [value] = &values[..] { goal_value(value) } else { None };
            prop_assert_eq!(engine.goal(&mut worker, &state, role).map_err(fail)?, goal, "goal of {}", name);
            let mut moves = Vec::new();
            engine.legals(&mut worker, &state, role, &mut moves).map_err(fail)?;
            let mut found: Vec<_> = moves.iter().map(|&id| (engine.move_text(&mut worker, id), id)).collect();
            found.sort_unstable();
            let mut expected: Vec<_> =
                of_role(&legal).into_iter().map(|row| (naive.text(&row[1]), row)).collect();
            expected.sort_unstable();
            let (found_texts, expected_texts): (Vec<_>, Vec<_>) = (
                found.iter().map(|(text, _)| text).collect(),
                expected.iter().map(|(text, _)| text).collect(),
            );
            prop_assert_eq!(found_texts, expected_texts, "moves of {}", name);
            let at = usize::from(choice) / (role.index() + 1) % found.len();
            joint.push(found[at].1);
            ground_joint.push(expected.swap_remove(at).1);
        }
        state = engine.step(&mut worker, &state, &joint).map_err(fail)?;
        fluents = first(naive.rows(&model(&fluents, &ground_joint)?, Keyword::Next));
    }
    prop_assert_eq!(engine.facts(&mut worker, &state), texts(&fluents), "facts at the end");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn negation_ordered_between_relations(rules in programs::rules(), choices in any::<[u8; 3]>()) {
        let text = programs::stratified(&rules);
        compare(&text, &choices).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
    }

    #[test]
    fn negation_ordered_between_ground_atoms(rules in programs::countdowns(), choices in any::<[u8; 3]>()) {
        let text = programs::stratified_by_atoms(&rules);
        compare(&text, &choices).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
    }
}

#[test]
fn a_contradiction_has_no_model() {
    let description = senet_gdl::parse("(<= p (not q)) (<= q (not p))");
    assert!(Evaluator::new(&description).model(&[], &[]).is_none());
}
