//! The record of a match: what others write into match.json, and what they left out.

use crate::Renaming;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::time::Duration;
use thiserror::Error;

/// A match as it was played, in the names of the rulesheet.
///
/// There is one state more than joint moves, and as many times and errors as states. `errors[0]` is of START; behind it a
/// role has an error exactly where the referee moved in its place.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Record {
    /// The name of the match.
    pub match_id: String,
    /// Something no other match has.
    pub random_token: String,
    /// When it began, in milliseconds since 1970.
    pub start_time: u64,
    /// Where the game is described.
    #[serde(rename = "gameMetaURL")]
    pub game_meta_url: String,
    /// Whether it came to an end.
    pub is_completed: bool,
    /// Whether it was left before.
    pub is_aborted: bool,
    /// The positions, each a list of facts.
    pub states: Vec<String>,
    /// The joint moves, each in role order.
    pub moves: Vec<Vec<String>>,
    /// When each position was reached, in milliseconds since 1970.
    pub state_times: Vec<u64>,
    /// What was wrong with the answers: `TO`, `IL` and the answer, `CE`, or nothing.
    pub errors: Vec<Vec<String>>,
    /// The scores, in role order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub goal_values: Vec<i64>,
    /// How long players could look at the rules before, in seconds.
    #[serde(with = "seconds")]
    pub preview_clock: Duration,
    /// How long players could think before the first move, in seconds.
    #[serde(with = "seconds")]
    pub start_clock: Duration,
    /// How long players could think about each move, in seconds.
    #[serde(with = "seconds")]
    pub play_clock: Duration,
    /// Who played, in role order.
    pub player_names_from_host: Vec<String>,
    /// Whether players were told other names than those of the rulesheet.
    pub scrambled: bool,

    /// The game's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub game: String,
    /// The roles in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// The rulesheet.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rules: String,
    /// From the names that players were told to those of the rulesheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renaming: Option<Renaming>,
    /// How much later than the start clock an answer could still arrive, in seconds.
    #[serde(with = "seconds::if_known", skip_serializing_if = "Option::is_none")]
    pub start_grace: Option<Duration>,
    /// How much later than the play clock an answer could still arrive, in seconds.
    #[serde(with = "seconds::if_known", skip_serializing_if = "Option::is_none")]
    pub grace: Option<Duration>,
    /// Where the players were called, in role order; `None` for those who were not behind an address.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub player_addresses: Vec<Option<String>>,
    /// Decides the referee's random moves and the new names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Why the rules did not let the match come to an end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_error: Option<String>,
    /// What was said, in the order of the answers of each step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exchanges: Vec<Exchange>,
    /// By joint move and role: what the player's search says of its move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<Vec<Option<Thoughts>>>,
    /// What other referees wrote besides.
    #[serde(flatten)]
    pub others: BTreeMap<String, Value>,
}

/// A message and its answer.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Exchange {
    /// How many joint moves had been played.
    pub step: usize,
    /// To whom.
    pub role: String,
    /// When it was sent, in milliseconds since the match began.
    pub sent_after: u64,
    /// How long the answer took, in milliseconds.
    pub round_trip: f64,
    /// The message, if it went over a wire.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<String>,
    /// The answer as it came, its beginning if it was long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub received: Option<String>,
    /// Why there was no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// What a search found out about a position.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Thoughts {
    /// The engine that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// How many playouts were made for this move.
    pub playouts: u64,
    /// How many positions were kept.
    pub nodes: u64,
    /// The most moves a playout went within the tree.
    pub depth: u32,
    /// What the player expected to get, from 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Whether the value was proved.
    pub is_proved: bool,
    /// The longest step by which the search tree grew or evicted positions: milliseconds of processor time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_pause: Option<f64>,
    /// The joint moves it expected.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<Vec<String>>,
    /// What a later version of the program adds.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// Why a file is no record.
#[derive(Debug, Error)]
pub enum RecordError {
    /// No JSON, or of another shape.
    #[error("this is no record of a match: {0}")]
    Json(#[from] serde_json::Error),
    /// There has to be a state more than moves, and as many times and errors as states.
    #[error("the record has {states} states, {moves} joint moves, {times} times and {errors} rows of errors")]
    Lengths {
        /// How many states.
        states: usize,
        /// How many joint moves.
        moves: usize,
        /// How many times.
        times: usize,
        /// How many rows of errors.
        errors: usize,
    },
}

impl Record {
    /// Reads a record that this program or another one wrote. Times and errors may be missing altogether.
    pub fn from_json(bytes: &[u8]) -> Result<Record, RecordError> {
        let record: Record = serde_json::from_slice(bytes)?;
        record.check_lengths()?;
        Ok(record)
    }

    /// One line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a record is made of texts and numbers")
    }

    /// The law of the lengths.
    pub fn check_lengths(&self) -> Result<(), RecordError> {
        let Record { states, moves, state_times, errors, .. } = self;
        let is_whole = states.len() == moves.len() + 1
            && (state_times.is_empty() || state_times.len() == states.len())
            && (errors.is_empty() || errors.len() == states.len());
        if is_whole {
            return Ok(());
        }
        Err(RecordError::Lengths {
            states: states.len(),
            moves: moves.len(),
            times: state_times.len(),
            errors: errors.len(),
        })
    }

    /// What was wrong with the answer that led to a joint move, if anything was.
    pub fn error(&self, step: usize, role: usize) -> Option<&str> {
        let error = self.errors.get(step)?.get(role)?;
        (!error.is_empty()).then_some(error)
    }
}

/// Seconds: whole ones as others write them, fractions where there are any.
mod seconds {
    use super::Duration;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        match time.subsec_nanos() {
            0 => serializer.serialize_u64(time.as_secs()),
            _ => serializer.serialize_f64(time.as_secs_f64()),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        // Some write -1 for a clock that is not used.
        let seconds = f64::deserialize(deserializer)?.max(0.0);
        Duration::try_from_secs_f64(seconds).map_err(serde::de::Error::custom)
    }

    /// Those that others do not write. What they may mean by the same name is passed over.
    pub(super) mod if_known {
        use super::{Deserializer, Duration, Serializer};
        use serde::Deserialize;
        use serde_json::Value;

        pub(in crate::record) fn serialize<S: Serializer>(
            time: &Option<Duration>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            match time {
                Some(time) => super::serialize(time, serializer),
                None => serializer.serialize_none(),
            }
        }

        pub(in crate::record) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<Duration>, D::Error> {
            Ok(super::deserialize(Value::deserialize(deserializer)?).ok())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OTHERS: &str = r#"{"matchId":"Base.tic.1","randomToken":"abc","startTime":1794726098390,
        "gameMetaURL":"http://games.example/tic/","isCompleted":true,"isAborted":false,
        "states":["( ( cell 1 1 b ) )","( ( cell 1 1 x ) )"],"moves":[["( mark 1 1 )","noop"]],
        "stateTimes":[1794726098390,1794726099390],"errors":[["",""],["","TO"]],"goalValues":[100,0],
        "previewClock":-1,"startClock":10,"playClock":5,"playerNamesFromHost":["A","B"],"scrambled":false,
        "matchHostPK":"0xabc","isPlayerHuman":[false,false]}"#;

    #[test]
    fn records_of_others_are_read_and_nothing_is_lost() {
        let record = Record::from_json(OTHERS.as_bytes()).expect("a record");
        assert_eq!(record.goal_values, [100, 0]);
        assert_eq!((record.preview_clock, record.play_clock), (Duration::ZERO, Duration::from_secs(5)));
        assert_eq!((record.error(1, 0), record.error(1, 1), record.error(7, 7)), (None, Some("TO"), None));
        assert_eq!(record.others.len(), 2);
        let written: Value = serde_json::from_str(&record.to_json()).expect("JSON");
        let mut expected: Value = serde_json::from_str(OTHERS).expect("JSON");
        expected["previewClock"] = 0.into();
        assert_eq!(written, expected);
    }

    #[test]
    fn our_own_fields_come_back() {
        let mut record = Record::from_json(OTHERS.as_bytes()).expect("a record");
        record.play_clock = Duration::from_millis(500);
        record.seed = Some(u64::MAX);
        record.grace = Some(Duration::from_millis(100));
        record.start_grace = Some(Duration::ZERO);
        record.player_addresses = vec![Some("127.0.0.1:9147".into()), None];
        record.renaming = Some(Renaming::default());
        record.exchanges.push(Exchange { received: Some("( mark 1 1 )".into()), ..Exchange::default() });
        let thoughts = Thoughts { value: Some(41.80795688e89), playouts: 3, ..Thoughts::default() };
        record.thoughts.push(vec![None, Some(thoughts)]);
        assert_eq!(Record::from_json(record.to_json().as_bytes()).expect("a record"), record);
    }

    #[test]
    fn what_others_mean_by_a_grace_is_passed_over() {
        let record = OTHERS.replace(r#""playClock":5"#, r#""playClock":5,"grace":"much","startGrace":2.5"#);
        let record = Record::from_json(record.as_bytes()).expect("a record");
        assert_eq!((record.grace, record.start_grace), (None, Some(Duration::from_millis(2500))));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let read = |text: &str| Record::from_json(text.as_bytes()).expect_err(text).to_string();
        assert!(read("[]").starts_with("this is no record of a match: "));
        assert!(read(&OTHERS.replace("-1", "1e300")).contains("no record"));
        assert_eq!(read("{}"), "the record has 0 states, 0 joint moves, 0 times and 0 rows of errors");
        assert!(read(&OTHERS.replace(r#"["",""],"#, "")).contains("1 rows of errors"));
        assert!(Record::from_json(&[b'['; 100_000]).is_err());
    }
}
