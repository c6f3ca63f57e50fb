//! One game on one engine, as people and programs read it.

use super::measure::Measured;
use super::outcome::{Comparison, Verdict};
use serde_json::{Map, Value, json};
use std::ops::Range;

/// What was asked of one engine.
pub(super) struct Row {
    pub(super) game: String,
    /// As asked; the engine that played has its own name in the result.
    pub(super) engine: String,
    pub(super) result: Result<Played, Refused>,
}

/// The engine does not play this game.
pub(super) struct Refused {
    pub(super) why: String,
}

/// The engine played.
pub(super) struct Played {
    pub(super) engine: &'static str,
    pub(super) roles: Vec<String>,
    pub(super) setup_seconds: f64,
    pub(super) gates: Option<usize>,
    pub(super) level: Option<&'static str>,
    pub(super) figures: Vec<(&'static str, f64)>,
    pub(super) threads: usize,
    pub(super) measured: Measured,
    pub(super) judge: String,
    pub(super) judge_playouts: u64,
    pub(super) verdict: Verdict,
}

pub(super) const HEADER: [&str; 11] = [
    "game",
    "engine",
    "states/s",
    "playouts/s",
    "length",
    "goals",
    "set-up s",
    "gates",
    "threads",
    "cut",
    "check",
];

/// The columns that hold numbers: from `states/s` to `cut`.
pub(super) const NUMBERS: Range<usize> = 2..10;

impl Row {
    pub(super) fn is_good(&self) -> bool {
        self.result.as_ref().is_ok_and(|played| played.verdict.is_good())
    }

    pub(super) fn cells(&self) -> Vec<String> {
        let played = match &self.result {
            Ok(played) => played,
            Err(_) => {
                let mut cells = vec![self.game.clone(), self.engine.clone()];
                cells.resize(HEADER.len() - 1, "–".to_owned());
                cells.push("refused".to_owned());
                return cells;
            }
        };
        let statistics = &played.measured.played;
        let goals: Vec<String> = statistics
            .mean_goals()
            .iter()
            .map(|mean| number_or_dash(*mean, |mean| format!("{mean:.2}")))
            .collect();
        vec![
            self.game.clone(),
            played.engine.to_owned(),
            rate(played.measured.states_per_second),
            rate(played.measured.playouts_per_second),
            number_or_dash(statistics.mean_length(), |mean| format!("{mean:.2}")),
            goals.join(" "),
            format!("{:.4}", played.setup_seconds),
            played.gates.map_or("–".to_owned(), |gates| gates.to_string()),
            played.threads.to_string(),
            statistics.cut.to_string(),
            played.verdict.word().to_owned(),
        ]
    }

    /// What the table has no room for.
    pub(super) fn remark(&self) -> Option<String> {
        let (game, engine) = (&self.game, &self.engine);
        let played = match &self.result {
            Ok(played) => played,
            Err(Refused { why }) => return Some(format!("{game}, {engine}: {why}")),
        };
        let (engine, judge, n_judged) = (played.engine, &played.judge, played.judge_playouts);
        match &played.verdict {
            Verdict::Judge => None,
            Verdict::Unchecked(why) => Some(format!("{game}, {engine}: not checked: {why}")),
            Verdict::Pass(comparisons) => {
                let worst = comparisons.iter().map(Comparison::errors).fold(0.0, f64::max);
                let what = format!("within {worst:.1} standard errors of {n_judged} playouts of {judge}");
                Some(format!("{game}, {engine}: {what}"))
            }
            Verdict::Fail(comparisons) => {
                let wrong: Vec<String> =
                    comparisons.iter().filter(|it| !it.agrees()).map(difference).collect();
                let wrong = wrong.join("; ");
                Some(format!("{game}, {engine}: differs from {n_judged} playouts of {judge}: {wrong}"))
            }
        }
    }

    pub(super) fn json(&self) -> Value {
        let played = match &self.result {
            Ok(played) => played,
            Err(Refused { why }) => {
                return json!({"game": self.game, "engine": self.engine, "refused": why});
            }
        };
        let statistics = &played.measured.played;
        let by_role = |values: Vec<Option<f64>>| -> Map<_, _> {
            played.roles.iter().cloned().zip(values.into_iter().map(Value::from)).collect()
        };
        let comparisons: Vec<Value> = played.verdict.comparisons().iter().map(comparison_json).collect();
        let why = match &played.verdict {
            Verdict::Unchecked(why) => Some(why),
            _ => None,
        };
        json!({
            "game": self.game,
            "engine": played.engine,
            "states_per_second": played.measured.states_per_second,
            "playouts_per_second": played.measured.playouts_per_second,
            "mean_length": statistics.mean_length(),
            "length_variance": statistics.length_variance(),
            "mean_goals": by_role(statistics.mean_goals()),
            "goal_variances": by_role(statistics.goal_variances()),
            "setup_seconds": played.setup_seconds,
            "gates": played.gates,
            "level": played.level,
            "figures": played.figures.iter().copied().collect::<std::collections::BTreeMap<_, _>>(),
            "threads": played.threads,
            "playouts": statistics.playouts,
            "cut": statistics.cut,
            "check": {
                "verdict": played.verdict.word(),
                "judge": played.judge,
                "judge_playouts": played.judge_playouts,
                "why": why,
                "comparisons": comparisons,
            },
        })
    }
}

fn difference(comparison: &Comparison) -> String {
    let Comparison { what, found, expected, .. } = comparison;
    let errors = comparison.errors();
    if errors.is_finite() {
        format!("{what} {found:.4} for {expected:.4}, {errors:.1} standard errors")
    } else {
        format!("{what} {found:.4} for {expected:.4}, which does not vary")
    }
}

fn comparison_json(comparison: &Comparison) -> Value {
    json!({
        "what": comparison.what,
        "found": comparison.found,
        "expected": comparison.expected,
        "standard_error": comparison.standard_error,
        "agrees": comparison.agrees(),
    })
}

fn number_or_dash(number: Option<f64>, text: impl Fn(f64) -> String) -> String {
    number.map_or("–".to_owned(), text)
}

/// A rate in three digits: 1.15 M.
fn rate(rate: f64) -> String {
    let (scaled, unit) = match rate {
        _ if rate >= 1e9 => (rate / 1e9, " G"),
        _ if rate >= 1e6 => (rate / 1e6, " M"),
        _ if rate >= 1e3 => (rate / 1e3, " k"),
        _ => (rate, ""),
    };
    let digits = if scaled >= 100.0 {
        0
    } else if scaled >= 10.0 {
        1
    } else {
        2
    };
    format!("{scaled:.digits$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use senet_game::PlayoutStatistics;

    #[test]
    fn rates_have_three_digits() {
        let rates = [0.5, 12.34, 999.0, 1_150.0, 65_500.0, 2_340_000.0, 1_820_000_000.0];
        assert_eq!(rates.map(rate), ["0.50", "12.3", "999", "1.15 k", "65.5 k", "2.34 M", "1.82 G"]);
    }

    fn row(lengths: [u64; 2]) -> Row {
        let of = |length: u64| {
            let mut played = PlayoutStatistics::new(1);
            (0..400).for_each(|_| played.add_finished(length));
            played
        };
        let roles = vec!["robot".to_owned()];
        let [found, expected] = lengths.map(of);
        Row {
            game: "lamp".to_owned(),
            engine: "auto".to_owned(),
            result: Ok(Played {
                engine: "circuit",
                setup_seconds: 0.25,
                gates: Some(7),
                level: Some("avx2"),
                figures: vec![("table_bytes", 8.0)],
                threads: 2,
                verdict: Verdict::new(&found, Ok(&expected), &roles),
                measured: Measured { played: found, states_per_second: 3e6, playouts_per_second: 1e6 },
                judge: "reference".to_owned(),
                judge_playouts: expected.playouts,
                roles,
            }),
        }
    }

    #[test]
    fn a_row_names_the_engine_that_played() {
        let row = row([3, 3]);
        assert!(row.is_good());
        let expected = ["lamp", "circuit", "3.00 M", "1.00 M", "3.00", "–", "0.2500", "7", "2", "0", "pass"];
        assert_eq!(row.cells(), expected);
        assert_eq!(HEADER[NUMBERS].first().zip(HEADER[NUMBERS].last()), Some((&"states/s", &"cut")));
        assert_eq!(row.json()["engine"], "circuit");
        assert_eq!(row.json()["level"], "avx2");
        assert_eq!(row.json()["figures"]["table_bytes"], 8.0);
        assert_eq!(row.json()["mean_goals"]["robot"], Value::Null);
    }

    #[test]
    fn a_failure_says_what_differs() {
        let row = row([3, 4]);
        assert!(!row.is_good());
        let remark = "lamp, circuit: differs from 400 playouts of reference: \
                      length 3.0000 for 4.0000, which does not vary";
        assert_eq!(row.remark().as_deref(), Some(remark));
        assert_eq!(row.json()["check"]["verdict"], "FAIL");
    }

    #[test]
    fn a_refusal_has_a_row_too() {
        let refused = Refused { why: "too large".to_owned() };
        let row = Row { game: "big".into(), engine: "lanes".into(), result: Err(refused) };
        assert_eq!(row.cells().len(), HEADER.len());
        assert_eq!(row.json().to_string(), r#"{"engine":"lanes","game":"big","refused":"too large"}"#);
    }
}
