//! Recorded matches of the reference material.

use crate::sha1_hex;
use senet_game::Position;
use serde_json::Value;
use std::collections::BTreeMap;

/// The moves of a record that were played, by role; `None` at the end of a match.
pub fn moves_of(record: &Value) -> Option<BTreeMap<String, String>> {
    let is_over = record["terminal"].as_bool().unwrap_or(false);
    let moves = record["does"].as_object().filter(|_| !is_over)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Some(moves.iter().map(|(role, value)| (role.clone(), text(value))).collect())
}

/// Whether a position is the recorded one, as far as it was recorded.
pub fn compare(position: &Position, roles: &[String], record: &Value) -> Result<(), String> {
    compare_list("facts", &position.state, &record["state"], &record["state_count"], &record["state_sha1"])?;
    if let Some(terminal) = record["terminal"].as_bool().filter(|&recorded| recorded != position.terminal) {
        return Err(format!("recorded terminal: {terminal}"));
    }
    for (role, (name, goal)) in roles.iter().zip(&position.goals).enumerate() {
        let recorded = record["goals"][name].as_u64();
        if recorded.is_some_and(|recorded| *goal != u8::try_from(recorded).ok()) {
            return Err(format!("goal of {name} is {goal:?}, recorded {recorded:?}"));
        }
        if !position.terminal {
            let [moves, count, digest] = ["legal", "legal_count", "legal_sha1"].map(|key| &record[key][name]);
            compare_list(&format!("moves of {name}"), &position.legal[role], moves, count, digest)?;
        }
    }
    Ok(())
}

fn compare_list(
    what: &str,
    found: &[String],
    list: &Value,
    count: &Value,
    digest: &Value,
) -> Result<(), String> {
    if let Some(recorded) = list.as_array() {
        let recorded: Vec<_> = recorded.iter().filter_map(Value::as_str).collect();
        if recorded != found {
            let missing: Vec<_> =
                recorded.iter().filter(|&&text| !found.iter().any(|own| own == text)).collect();
            let extra: Vec<_> = found.iter().filter(|text| !recorded.contains(&text.as_str())).collect();
            return Err(format!("{what}: missing {missing:?}, not recorded {extra:?}"));
        }
    }
    if count.as_u64().is_some_and(|count| count != found.len() as u64) {
        return Err(format!("{what}: {} instead of {count}", found.len()));
    }
    if digest.as_str().is_some_and(|digest| digest != sha1_hex(found.join("\n").as_bytes())) {
        return Err(format!("{what}: not the {} recorded ones", found.len()));
    }
    Ok(())
}
