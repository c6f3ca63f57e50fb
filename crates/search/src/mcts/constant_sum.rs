//! Whether the rules imply that the scores of two roles always have the same sum.

use senet_circuit::{Circuit, Wire};

/// The sum of the goals of two roles, if it is the same in every state in which they are defined.
///
/// That is so if their goals are mirror images: whatever condition gives one role the value `v` gives the other `T - v`.
/// The conditions are compared as gates, which are the same wire if they were built the same way, so a sum that follows
/// for another reason is not found. Where no condition holds, or several, both goals are undefined and count 0. Up to a sum
/// of 100 no bound is wrong before such an end is seen; for larger sums one role may get less than what is left of the
/// sum, so none is returned.
pub(crate) fn constant_sum(circuit: &Circuit, [one, other]: [usize; 2]) -> Option<u32> {
    let goals = |role: usize| -> Option<Vec<(u32, Wire)>> {
        let value = |goal: &senet_circuit::GoalWire| Some((u32::from(goal.value?), goal.wire));
        let mut goals: Vec<_> = circuit.goals()[role].iter().map(value).collect::<Option<_>>()?;
        goals.sort_unstable_by_key(|&(_, wire)| wire);
        Some(goals)
    };
    let (ones, others) = (goals(one)?, goals(other)?);
    let are_mirrored =
        ones.len() == others.len() && ones.iter().zip(&others).all(|(one, other)| one.1 == other.1);
    let mut sums = ones.iter().zip(&others).map(|(one, other)| one.0 + other.0);
    let total = sums.next().filter(|&total| are_mirrored && total <= 100)?;
    sums.all(|sum| sum == total).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limit, Rules};

    fn sum_of(text: &str) -> Option<u32> {
        let rules = Rules::new(senet_gdl::parse(text)).expect("it plays");
        let gates = rules.gates().wait(&Limit::default()).expect("no limit").as_ref().expect("it is small");
        constant_sum(&gates.circuit, [0, 1])
    }

    fn built_in(name: &str) -> Option<u32> {
        sum_of(&senet_engines::library::find(name).expect("built in").text)
    }

    #[test]
    fn mirrored_goals_have_a_constant_sum() {
        for game in ["tic-tac-toe", "connect-four", "reversi-8x8"] {
            assert_eq!(built_in(game), Some(100), "{game}");
        }
    }

    #[test]
    fn goals_that_are_no_mirror_images_have_none() {
        // The same but for one value, and for one condition.
        let game = |value: &str, condition: &str| {
            format!(
                "(role me) (role you) (init start) (<= (legal ?r ?m) (role ?r) (move ?m)) (move win) (move lose)
                (<= (next won) (does me win)) (<= (next lost) (does me lose)) (<= terminal (true won)) (<= terminal (true lost))
                (<= (goal me 100) (true won)) (<= (goal you {value}) (true won))
                (<= (goal me 40) (true lost)) (<= (goal you 60) {condition})"
            )
        };
        assert_eq!(sum_of(&game("0", "(true lost)")), Some(100));
        assert_eq!(sum_of(&game("1", "(true lost)")), None);
        assert_eq!(sum_of(&game("0", "(true lost) (not (true won))")), None);
    }

    #[test]
    fn roles_that_may_both_have_everything_have_none() {
        let text = "(role me) (role you) (init start) (legal me win) (legal you wait) (<= terminal (not (true start)))
            (<= (goal ?r 100) (role ?r) (not (true start)))";
        assert_eq!(sum_of(text), None);
    }
}
