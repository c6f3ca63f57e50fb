//! How a duel stands.

use super::journal::Played;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde_json::{Value, json};

/// The matches of one game, or of all.
#[derive(Clone, Default, Debug)]
pub(super) struct Standing {
    wins: u64,
    draws: u64,
    losses: u64,
    /// Matches that the rules did not let come to an end.
    faults: u64,
    /// Why the first of them did not.
    game_error: Option<String>,
    /// The sums of the mean goals of each player.
    goals: [f64; 2],
    moves: u64,
    errors: [u64; 2],
}

/// A share of something, and where it lies for nineteen samples of twenty.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Interval {
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Standing {
    pub(super) fn add(&mut self, played: &Played) {
        (0..2).for_each(|player| self.errors[player] += played.errors[player]);
        let [Some(first), Some(second)] = [0, 1].map(|player| mean_goal(played, player)) else {
            self.faults += 1;
            self.game_error = self.game_error.take().or_else(|| played.game_error.clone());
            return;
        };
        self.goals[0] += first;
        self.goals[1] += second;
        self.moves += played.moves.len() as u64;
        // Goals are whole numbers, but their means need not be: thirds of the same sum have to be equal.
        match first - second {
            difference if difference.abs() < 1e-9 => self.draws += 1,
            difference if difference > 0.0 => self.wins += 1,
            _ => self.losses += 1,
        }
    }

    /// What is to be said of matches that are not counted.
    pub(super) fn fault(&self) -> Option<String> {
        let error = self.game_error.as_ref()?;
        let all = self.n_matches() + self.faults;
        Some(format!("{} of {all} matches are not counted: {error}", self.faults))
    }

    /// Whether a match tells something, if there are any.
    pub(super) fn is_counted(&self) -> bool {
        self.n_matches() > 0 || self.faults == 0
    }

    pub(super) fn n_matches(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points that the first player has: a draw is half a point.
    pub(super) fn score(&self) -> Option<Interval> {
        let n = self.n_matches();
        (n > 0).then(|| wilson((self.wins as f64 + self.draws as f64 / 2.0) / n as f64, n))
    }

    fn cells(&self, game: &str) -> Vec<String> {
        let n = self.n_matches().max(1) as f64;
        let percent = |share: f64| format!("{:.1}", share * 100.0);
        let (score, interval, rating) = match self.score() {
            Some(score) => (
                percent(score.value),
                format!("{} to {}", percent(score.low), percent(score.high)),
                elo_text(score),
            ),
            None => ("–".to_owned(), "–".to_owned(), "–".to_owned()),
        };
        vec![
            game.to_owned(),
            self.n_matches().to_string(),
            score,
            interval,
            rating,
            format!("{} {} {}", self.wins, self.draws, self.losses),
            format!("{:.1} {:.1}", self.goals[0] / n, self.goals[1] / n),
            format!("{:.1}", self.moves as f64 / n),
            format!("{} {}", self.errors[0], self.errors[1]),
            self.faults.to_string(),
        ]
    }

    pub(super) fn json(&self, game: Option<&str>, players: &[String]) -> Value {
        let n = self.n_matches().max(1) as f64;
        let score = self.score();
        let interval = |of: &dyn Fn(f64) -> Option<f64>| {
            // More digits would differ between machines.
            let rounded = |share: f64| of(share).map(|value| (value * 1e4).round() / 1e4);
            score.map(|score| json!({"value": rounded(score.value), "low": rounded(score.low), "high": rounded(score.high)}))
        };
        json!({
            "game": game,
            "players": players,
            "matches": self.n_matches(),
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "faults": self.faults,
            "gameError": self.game_error,
            "score": interval(&Some),
            "elo": interval(&elo),
            "goals": [self.goals[0] / n, self.goals[1] / n],
            "meanLength": self.moves as f64 / n,
            "errors": self.errors,
        })
    }
}

/// A row for each game.
pub(super) fn table<'a>(rows: impl Iterator<Item = (&'a str, &'a Standing)>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(HEADER);
    for at in 1..HEADER.len() {
        table.column_mut(at).expect("it is in the header").set_cell_alignment(CellAlignment::Right);
    }
    for (name, standing) in rows {
        table.add_row(standing.cells(name));
    }
    table
}

const HEADER: [&str; 10] =
    ["game", "matches", "score %", "95 %", "Elo", "+ = -", "goals", "length", "errors", "faults"];

fn mean_goal(played: &Played, player: usize) -> Option<f64> {
    let own = played.seats.iter().zip(&played.goals).filter(|(seat, _)| **seat == Some(player));
    let goals: Vec<i64> = own.map(|(_, goal)| *goal).collect();
    (!goals.is_empty()).then(|| goals.iter().sum::<i64>() as f64 / goals.len() as f64)
}

/// Wilson's interval of 95 % for a share of `n`.
fn wilson(share: f64, n: u64) -> Interval {
    const Z: f64 = 1.959_963_985;
    let n = n as f64;
    let shrunk = 1.0 / (1.0 + Z * Z / n);
    let middle = (share + Z * Z / (2.0 * n)) * shrunk;
    let half = Z * shrunk * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    // The ends are exact: a rounded one would have a rating.
    let low = if share > 0.0 { middle - half } else { 0.0 };
    let high = if share < 1.0 { middle + half } else { 1.0 };
    Interval { value: share, low, high }
}

/// The difference of ratings that gives a score; none where it has no end.
fn elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

fn elo_text(score: Interval) -> String {
    let text = |score: f64| match elo(score) {
        Some(elo) => format!("{elo:+.0}"),
        None => if score > 0.5 { "+∞" } else { "-∞" }.to_owned(),
    };
    format!("{} ({} to {})", text(score.value), text(score.low), text(score.high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(seats: &[Option<usize>], goals: &[i64]) -> Played {
        Played {
            game: "g".to_owned(),
            rules: 0,
            at: 0,
            seats: seats.to_vec(),
            goals: goals.to_vec(),
            game_error: None,
            moves: Vec::new(),
            errors: [1, 0],
            seconds: 0.0,
        }
    }

    #[test]
    fn the_higher_goal_wins() {
        let mut standing = Standing::default();
        let (a, b) = (Some(0), Some(1));
        for (seats, goals) in [
            (&[a, b][..], &[100, 0][..]),
            (&[b, a], &[100, 0]),
            (&[b, a], &[30, 40]),
            (&[None, a, b], &[100, 50, 50]),
            (&[a, b, a, b], &[100, 50, 0, 50]),
            (&[a, b], &[]),
        ] {
            standing.add(&played(seats, goals));
        }
        assert_eq!((standing.wins, standing.draws, standing.losses, standing.faults), (2, 2, 1, 1));
        assert_eq!((standing.goals, standing.errors), ([240.0, 230.0], [6, 0]));
        assert_eq!(standing.score().expect("matches").value, 0.6);
    }

    #[test]
    fn matches_that_the_rules_end_are_told_of() {
        let mut standing = Standing::default();
        assert!(standing.is_counted() && standing.fault().is_none(), "nothing was played");
        for error in ["first", "second"] {
            standing.add(&Played { game_error: Some(error.to_owned()), ..played(&[Some(0), Some(1)], &[]) });
        }
        assert!(!standing.is_counted());
        assert_eq!(standing.json(None, &[])["gameError"], "first");
        standing.add(&played(&[Some(0), Some(1)], &[1, 0]));
        assert!(standing.is_counted());
        let fault = standing.fault().expect("faults");
        assert_eq!(fault, "2 of 3 matches are not counted: first");
    }

    #[test]
    fn intervals_are_those_of_the_books() {
        // Newcombe 1998, table I: 81 of 263, and 15 of 148.
        let close = |left: f64, right: f64| (left - right).abs() < 5e-5;
        let interval = wilson(81.0 / 263.0, 263);
        assert!(close(interval.low, 0.2553) && close(interval.high, 0.3662), "{interval:?}");
        let interval = wilson(15.0 / 148.0, 148);
        assert!(close(interval.low, 0.0624) && close(interval.high, 0.1605), "{interval:?}");
        for n in 1..1_000 {
            let (all, none) = (wilson(1.0, n), wilson(0.0, n));
            assert!(all.high == 1.0 && close(none.high, 1.0 - all.low) && none.low == 0.0, "{n}");
        }
    }

    #[test]
    fn ratings() {
        assert_eq!(elo(0.5), Some(0.0));
        assert!((elo(0.75).expect("a number") - 190.85).abs() < 0.01);
        assert_eq!((elo(1.0), elo(0.0)), (None, None));
        assert_eq!(elo_text(Interval { value: 1.0, low: 0.75, high: 1.0 }), "+∞ (+191 to +∞)");
    }
}
