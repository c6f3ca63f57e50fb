//! Nash equilibria of small games in which two roles choose at once.

use super::solution::Values;

/// How far an equilibrium may be off.
const ERROR: f64 = 1e-7;

/// The expected values of all roles in an equilibrium, by support enumeration. `outcomes` are by joint move, the first
/// role's move changing first. Pure equilibria come first. `None` if none was found: degenerate games may have only
/// equilibria whose supports differ in size.
pub(super) fn equilibrium(outcomes: &[Vec<f64>], roles: [usize; 2], counts: [usize; 2]) -> Values {
    let payoff = |player: usize, own: usize, other: usize| {
        let joint = if player == 0 { own + counts[0] * other } else { other + counts[0] * own };
        outcomes[joint][roles[player]]
    };
    for size in 1..=counts[0].min(counts[1]) {
        for first in subsets(counts[0], size) {
            for second in subsets(counts[1], size) {
                // Each mix makes the other role indifferent between the moves it mixes.
                let of_second = mix(&first, &second, |own, other| payoff(0, own, other));
                let of_first = mix(&second, &first, |own, other| payoff(1, own, other));
                let (Some(of_second), Some(of_first)) = (of_second, of_first) else { continue };
                let weights = |support: &[usize], mix: &[f64], n: usize| {
                    let mut weights = vec![0.0; n];
                    support.iter().zip(mix).for_each(|(&at, &weight)| weights[at] = weight);
                    weights
                };
                let mixes = [weights(&first, &of_first, counts[0]), weights(&second, &of_second, counts[1])];
                let expected = |player: usize, own: usize| -> f64 {
                    mixes[1 - player]
                        .iter()
                        .enumerate()
                        .map(|(other, weight)| weight * payoff(player, own, other))
                        .sum()
                };
                let is_best = |player: usize| {
                    let all: Vec<f64> = (0..counts[player]).map(|own| expected(player, own)).collect();
                    let best = all.iter().copied().fold(0.0, f64::max);
                    mixes[player]
                        .iter()
                        .zip(&all)
                        .all(|(&weight, &value)| weight < ERROR || value > best - ERROR)
                };
                if is_best(0) && is_best(1) {
                    let chance = |joint: usize| mixes[0][joint % counts[0]] * mixes[1][joint / counts[0]];
                    let value = |role: usize| {
                        outcomes.iter().enumerate().map(|(joint, values)| chance(joint) * values[role]).sum()
                    };
                    return Some((0..outcomes[0].len()).map(value).collect());
                }
            }
        }
    }
    None
}

fn subsets(n: usize, size: usize) -> Vec<Vec<usize>> {
    let of_bits = |bits: usize| (0..n).filter(|at| bits >> at & 1 == 1).collect::<Vec<_>>();
    (0..1 << n).map(of_bits).filter(|subset| subset.len() == size).collect()
}

/// The probabilities of `mixed` that make all of `indifferent` worth the same: Gaussian elimination.
fn mix(indifferent: &[usize], mixed: &[usize], payoff: impl Fn(usize, usize) -> f64) -> Option<Vec<f64>> {
    let n = mixed.len();
    let mut rows: Vec<Vec<f64>> = indifferent[1..]
        .iter()
        .map(|&own| {
            let difference = |&other: &usize| payoff(own, other) - payoff(indifferent[0], other);
            mixed.iter().map(difference).chain([0.0]).collect()
        })
        .chain([vec![1.0; n + 1]])
        .collect();
    for at in 0..n {
        let pivot = (at..n).max_by(|&left, &right| rows[left][at].abs().total_cmp(&rows[right][at].abs()))?;
        rows.swap(at, pivot);
        if rows[at][at].abs() < ERROR {
            return None;
        }
        for other in (0..n).filter(|&other| other != at) {
            let factor = rows[other][at] / rows[at][at];
            let pivot = rows[at].clone();
            rows[other].iter_mut().zip(&pivot).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    let weights: Vec<f64> = (0..n).map(|at| rows[at][n] / rows[at][at]).collect();
    weights.iter().all(|&weight| weight > -ERROR).then_some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bimatrix(outcomes: &[[f64; 2]], counts: [usize; 2]) -> Values {
        let outcomes: Vec<Vec<f64>> = outcomes.iter().map(|values| values.to_vec()).collect();
        equilibrium(&outcomes, [0, 1], counts)
    }

    #[test]
    fn known_equilibria_are_found() {
        let dilemma = [[30.0, 30.0], [100.0, 0.0], [0.0, 100.0], [10.0, 10.0]];
        assert_eq!(bimatrix(&dilemma, [2, 2]), Some(vec![10.0, 10.0]));
        let pennies = [[100.0, 0.0], [0.0, 100.0], [0.0, 100.0], [100.0, 0.0]];
        assert_eq!(bimatrix(&pennies, [2, 2]), Some(vec![50.0, 50.0]));
        let hands =
            [50.0, 100.0, 0.0, 0.0, 50.0, 100.0, 100.0, 0.0, 50.0].map(|value| [value, 100.0 - value]);
        let [one, other] = bimatrix(&hands, [3, 3]).expect("a third each")[..] else { panic!("two roles") };
        assert!((one - 50.0).abs() < 1e-6 && (other - 50.0).abs() < 1e-6);
    }
}
