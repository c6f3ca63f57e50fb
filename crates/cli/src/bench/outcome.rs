//! Whether two engines play the same game, as far as means of random playouts tell.

use senet_game::PlayoutStatistics;

/// How many standard errors means may lie apart. By chance it happens once in 16,000 comparisons.
const MOST_ERRORS: f64 = 4.0;

/// Fewer playouts of the judge tell nothing.
pub(super) const FEWEST_PLAYOUTS: u64 = 300;

/// What is known of one quantity.
#[derive(Clone, Copy, Debug)]
struct Sample {
    mean: f64,
    variance: f64,
    count: u64,
}

/// One quantity, by the engine and by the judge.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Comparison {
    /// Such as `length` or `goal of x`.
    pub(super) what: String,
    pub(super) found: f64,
    pub(super) expected: f64,
    /// Of the difference of the two, if both play the same game.
    pub(super) standard_error: f64,
}

impl Comparison {
    fn new(what: String, found: Sample, expected: Sample) -> Comparison {
        let (n_found, n_expected) = (found.count as f64, expected.count as f64);
        // If both play the same game then both show its variance. The judge alone may have missed what is rare.
        let variance = (found.variance * n_found + expected.variance * n_expected) / (n_found + n_expected);
        Comparison {
            what,
            found: found.mean,
            expected: expected.mean,
            standard_error: (variance * (1.0 / n_expected + 1.0 / n_found)).sqrt(),
        }
    }

    /// How many standard errors lie between the two.
    pub(super) fn errors(&self) -> f64 {
        let distance = (self.found - self.expected).abs();
        // Sums beyond 2^53 are rounded before they are divided.
        let is_same = distance <= 1e-12 * self.expected.abs();
        if is_same { 0.0 } else { distance / self.standard_error }
    }

    /// What never varies has to be the same exactly.
    pub(super) fn agrees(&self) -> bool {
        self.errors() <= MOST_ERRORS
    }
}

/// Compares whatever both have: lengths, goals, and the shares of playouts that were cut or gave no goal.
pub(super) fn compare(
    found: &PlayoutStatistics,
    expected: &PlayoutStatistics,
    roles: &[String],
) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    let mut add = |what: String, found: Option<Sample>, expected: Option<Sample>| {
        if let (Some(found), Some(expected)) = (found, expected) {
            comparisons.push(Comparison::new(what, found, expected));
        }
    };
    let length = |played: &PlayoutStatistics| {
        Some(Sample {
            mean: played.mean_length()?,
            variance: played.length_variance()?,
            count: played.playouts,
        })
    };
    add("length".to_owned(), length(found), length(expected));
    let (mean_found, mean_expected) = (found.mean_goals(), expected.mean_goals());
    let (variance_found, variance_expected) = (found.goal_variances(), expected.goal_variances());
    for (role, name) in roles.iter().enumerate() {
        let goal = |played: &PlayoutStatistics, mean: &[Option<f64>], variance: &[Option<f64>]| {
            Some(Sample { mean: mean[role]?, variance: variance[role]?, count: played.goal_counts[role] })
        };
        let of_found = goal(found, &mean_found, &variance_found);
        let of_expected = goal(expected, &mean_expected, &variance_expected);
        add(format!("goal of {name}"), of_found, of_expected);
    }
    let all = |played: &PlayoutStatistics| played.playouts + played.cut;
    if found.cut + expected.cut > 0 {
        let cut = |played: &PlayoutStatistics| share(played.cut, all(played));
        add("share of cut playouts".to_owned(), cut(found), cut(expected));
    }
    for (role, name) in roles.iter().enumerate() {
        let given = |played: &PlayoutStatistics| share(played.goal_counts[role], played.playouts);
        let is_always = |played: &PlayoutStatistics| played.goal_counts[role] == played.playouts;
        if !is_always(found) || !is_always(expected) {
            add(format!("share of goals given to {name}"), given(found), given(expected));
        }
    }
    comparisons
}

fn share(part: u64, whole: u64) -> Option<Sample> {
    let mean = part as f64 / whole as f64;
    (whole > 0).then_some(Sample { mean, variance: mean * (1.0 - mean), count: whole })
}

/// What the comparison with the judge says.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Verdict {
    /// Everything agrees.
    Pass(Vec<Comparison>),
    /// Something does not.
    Fail(Vec<Comparison>),
    /// The judge did not play enough; why.
    Unchecked(String),
    /// This is the judge.
    Judge,
}

impl Verdict {
    /// `judged` are the playouts of the judge, or why there are none.
    pub(super) fn new(
        played: &PlayoutStatistics,
        judged: Result<&PlayoutStatistics, &str>,
        roles: &[String],
    ) -> Verdict {
        let judged = match judged {
            Ok(judged) => judged,
            Err(why) => return Verdict::Unchecked(why.to_owned()),
        };
        let n_judged = judged.playouts + judged.cut;
        if n_judged < FEWEST_PLAYOUTS {
            return Verdict::Unchecked(format!("the judge played {n_judged} playouts"));
        }
        let comparisons = compare(played, judged, roles);
        if comparisons.iter().all(Comparison::agrees) {
            Verdict::Pass(comparisons)
        } else {
            Verdict::Fail(comparisons)
        }
    }

    pub(super) fn is_good(&self) -> bool {
        matches!(self, Verdict::Pass(_) | Verdict::Judge)
    }

    /// In one word.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Verdict::Pass(_) => "pass",
            Verdict::Fail(_) => "FAIL",
            Verdict::Unchecked(_) => "UNCHECKED",
            Verdict::Judge => "is the judge",
        }
    }

    pub(super) fn comparisons(&self) -> &[Comparison] {
        match self {
            Verdict::Pass(comparisons) | Verdict::Fail(comparisons) => comparisons,
            Verdict::Unchecked(_) | Verdict::Judge => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Playouts of one role, so many of each length and goal.
    fn playouts(kinds: &[(u64, u64, u8)]) -> PlayoutStatistics {
        let mut played = PlayoutStatistics::new(1);
        for &(count, length, goal) in kinds {
            for _ in 0..count {
                played.add_finished(length);
                played.add_goal(0, goal);
            }
        }
        played
    }

    fn verdict(played: &PlayoutStatistics, judged: &PlayoutStatistics) -> Verdict {
        Verdict::new(played, Ok(judged), &["x".to_owned()])
    }

    #[test]
    fn the_standard_error_is_that_of_a_difference_of_means() {
        // Lengths 4 and 6 in halves: the standard deviation is 1.
        let found = playouts(&[(200, 4, 0), (200, 6, 0)]);
        let expected = playouts(&[(50, 4, 0), (50, 6, 0)]);
        let length = &compare(&found, &expected, &["x".to_owned()])[0];
        assert_eq!((length.found, length.expected), (5.0, 5.0));
        assert!((length.standard_error - (1.0 / 100.0 + 1.0 / 400.0_f64).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn four_errors_pass_and_more_fail() {
        let expected = playouts(&[(5_000, 4, 0), (5_000, 6, 0)]);
        // The error of the difference is near 0.014.
        let near = playouts(&[(4_750, 4, 0), (5_250, 6, 0)]);
        let far = playouts(&[(4_650, 4, 0), (5_350, 6, 0)]);
        assert_eq!(verdict(&near, &expected).word(), "pass");
        assert_eq!(verdict(&far, &expected).word(), "FAIL");
        let goals = playouts(&[(5_000, 4, 100), (5_000, 6, 0)]);
        assert_eq!(verdict(&goals, &expected).word(), "FAIL");
    }

    #[test]
    fn what_never_varies_has_to_be_the_same() {
        let expected = playouts(&[(400, 31, 10)]);
        assert_eq!(verdict(&playouts(&[(1_000_000, 31, 10)]), &expected).word(), "pass");
        assert_eq!(verdict(&playouts(&[(1_000, 32, 10)]), &expected).word(), "FAIL");
        assert_eq!(verdict(&playouts(&[(1_000, 31, 11)]), &expected).word(), "FAIL");
    }

    #[test]
    fn the_judge_may_miss_what_is_rare_but_not_what_is_not() {
        let expected = playouts(&[(400, 31, 0)]);
        let rare = playouts(&[(999_900, 31, 0), (100, 30, 100)]);
        assert_eq!(verdict(&rare, &expected).word(), "pass");
        let common = playouts(&[(900_000, 31, 0), (100_000, 30, 100)]);
        assert_eq!(verdict(&common, &expected).word(), "FAIL");
    }

    #[test]
    fn cut_playouts_and_missing_goals_are_compared() {
        let expected = playouts(&[(400, 31, 0)]);
        let mut cut = expected.clone();
        (0..400).for_each(|_| cut.add_cut(10_000));
        assert_eq!(verdict(&cut, &expected).word(), "FAIL");
        let mut silent = PlayoutStatistics::new(1);
        (0..400).for_each(|_| silent.add_finished(31));
        assert_eq!(verdict(&silent, &expected).word(), "FAIL");
    }

    #[test]
    fn a_judge_that_hardly_played_is_none() {
        let played = playouts(&[(400, 31, 0)]);
        let verdict = verdict(&played, &playouts(&[(299, 31, 0)]));
        assert_eq!(verdict.word(), "UNCHECKED");
        assert!(!verdict.is_good());
        assert!(Verdict::Judge.is_good());
    }
}
