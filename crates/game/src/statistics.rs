//! What came out of random playouts.

/// Counts and sums of playouts. All are whole numbers, so that parts can be merged in any order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayoutStatistics {
    /// Playouts that reached a terminal position.
    pub playouts: u64,
    /// Playouts that were cut.
    pub cut: u64,
    /// Joint moves applied in all playouts.
    pub states: u64,
    /// Joint moves applied in the playouts that reached the end.
    pub finished_states: u64,
    /// The sum of the squares of the lengths of the playouts that reached the end.
    pub length_squares: u128,
    /// By role: the sum of the goals that were defined.
    pub goal_sums: Vec<u64>,
    /// By role: the sum of the squares of the goals that were defined.
    pub goal_squares: Vec<u64>,
    /// By role: how many goals were defined.
    pub goal_counts: Vec<u64>,
}

impl PlayoutStatistics {
    /// Of no playouts.
    pub fn new(n_roles: usize) -> Self {
        Self {
            goal_sums: vec![0; n_roles],
            goal_squares: vec![0; n_roles],
            goal_counts: vec![0; n_roles],
            ..Self::default()
        }
    }

    /// Counts a playout that was cut after so many moves.
    pub fn add_cut(&mut self, length: u64) {
        self.cut += 1;
        self.states += length;
    }

    /// Counts a playout that ended after so many moves; its goals are added with [`add_goal`](Self::add_goal).
    pub fn add_finished(&mut self, length: u64) {
        self.playouts += 1;
        self.states += length;
        self.finished_states += length;
        self.length_squares += u128::from(length).pow(2);
    }

    /// Counts what a role got at the end.
    pub fn add_goal(&mut self, role: usize, goal: u8) {
        self.add_goals(role, goal, 1);
    }

    /// Counts what a role got at the end of so many playouts.
    pub fn add_goals(&mut self, role: usize, goal: u8, count: u64) {
        let goal = u64::from(goal);
        self.goal_sums[role] += goal * count;
        self.goal_squares[role] += goal * goal * count;
        self.goal_counts[role] += count;
    }

    /// Adds what came out of other playouts of the same game.
    pub fn merge(&mut self, other: &PlayoutStatistics) {
        self.playouts += other.playouts;
        self.cut += other.cut;
        self.states += other.states;
        self.finished_states += other.finished_states;
        self.length_squares += other.length_squares;
        add_each(&mut self.goal_sums, &other.goal_sums);
        add_each(&mut self.goal_squares, &other.goal_squares);
        add_each(&mut self.goal_counts, &other.goal_counts);
    }

    /// Mean length of the playouts that reached the end.
    pub fn mean_length(&self) -> Option<f64> {
        ratio(self.finished_states, self.playouts)
    }

    /// Variance of the lengths of the playouts that reached the end.
    pub fn length_variance(&self) -> Option<f64> {
        variance(self.finished_states, self.length_squares, self.playouts)
    }

    /// By role: mean of the goals that were defined at the end.
    pub fn mean_goals(&self) -> Vec<Option<f64>> {
        self.goal_sums.iter().zip(&self.goal_counts).map(|(&sum, &count)| ratio(sum, count)).collect()
    }

    /// By role: variance of the goals that were defined at the end.
    pub fn goal_variances(&self) -> Vec<Option<f64>> {
        let squares = self.goal_squares.iter().map(|&squares| u128::from(squares));
        let sums = self.goal_sums.iter().zip(squares).zip(&self.goal_counts);
        sums.map(|((&sum, squares), &count)| variance(sum, squares, count)).collect()
    }
}

fn add_each(sums: &mut Vec<u64>, others: &[u64]) {
    sums.resize(sums.len().max(others.len()), 0);
    sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
}

fn ratio(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}

/// Exactly zero where all values are the same: the subtraction is one of whole numbers. Sums that no values have, of an
/// engine that counts wrong, are given none either.
fn variance(sum: u64, squares: u128, count: u64) -> Option<f64> {
    let spread = (u128::from(count) * squares).saturating_sub(u128::from(sum).pow(2));
    (count > 0).then(|| spread as f64 / (count as f64).powi(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(playouts: &[(u64, u8)]) -> PlayoutStatistics {
        let mut statistics = PlayoutStatistics::new(1);
        for &(length, goal) in playouts {
            statistics.add_finished(length);
            statistics.add_goal(0, goal);
        }
        statistics
    }

    #[test]
    fn means_and_variances_are_those_of_the_values() {
        let statistics = of(&[(3, 0), (5, 100), (10, 50)]);
        assert_eq!(statistics.mean_length(), Some(6.0));
        assert_eq!(statistics.length_variance(), Some(26.0 / 3.0));
        assert_eq!(statistics.mean_goals(), [Some(50.0)]);
        assert_eq!(statistics.goal_variances(), [Some(5000.0 / 3.0)]);
    }

    #[test]
    fn what_does_not_vary_has_no_variance() {
        let statistics = of(&[(31, 10); 7]);
        assert_eq!(statistics.length_variance(), Some(0.0));
        assert_eq!(statistics.goal_variances(), [Some(0.0)]);
        let none = PlayoutStatistics::new(1);
        assert_eq!((none.mean_length(), none.length_variance()), (None, None));
        assert_eq!(none.goal_variances(), [None]);
    }

    #[test]
    fn parts_add_up() {
        let mut first = of(&[(3, 0), (5, 100)]);
        let mut whole = of(&[(3, 0), (5, 100), (10, 50)]);
        first.merge(&of(&[(10, 50)]));
        assert_eq!(first, whole);
        whole.add_cut(7);
        assert_eq!((whole.cut, whole.states, whole.finished_states), (1, 25, 18));
    }
}
