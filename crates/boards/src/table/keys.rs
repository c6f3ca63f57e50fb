//! Which columns of a relation determine the others.

use super::Table;

/// Columns determine the rest if no larger part of the facts contradicts it: the rule may have exceptions.
const TOLERATED: f64 = 0.05;
/// Every square of a board has a fact in so many positions that have facts at all.
const MOSTLY: f64 = 0.9;

impl Table {
    /// How many facts the fullest position has.
    pub(crate) fn most_facts(&self) -> usize {
        (0..self.n_positions()).map(|position| self.rows(position).len()).max().unwrap_or(0)
    }

    /// Which part of the facts have the same values in these columns as another fact of their position.
    pub(crate) fn shared_part(&self, columns: &[usize]) -> f64 {
        let mut keys = Vec::new();
        let (mut n_facts, mut n_different) = (0, 0);
        for position in 0..self.n_positions() {
            n_facts += self.rows(position).len();
            n_different += self.n_different(position, columns, &mut keys);
        }
        (n_facts - n_different) as f64 / n_facts.max(1) as f64
    }

    /// Whether these columns determine the others, with few exceptions.
    pub(crate) fn is_key(&self, columns: &[usize]) -> bool {
        self.shared_part(columns) <= TOLERATED
    }

    /// Whether these columns always determine the others.
    pub(crate) fn is_exact_key(&self, columns: &[usize]) -> bool {
        self.shared_part(columns) == 0.0
    }

    /// Whether nearly every position has each combination of values of these columns.
    pub(crate) fn is_complete(&self, columns: &[usize]) -> bool {
        let n_combinations: usize = columns.iter().map(|&column| self.columns[column].values.len()).product();
        let mut keys = Vec::new();
        let occupied = (0..self.n_positions()).filter(|&position| self.rows(position).len() > 0);
        let counts: Vec<usize> =
            occupied.map(|position| self.n_different(position, columns, &mut keys)).collect();
        let n_complete = counts.iter().filter(|&&count| count == n_combinations).count();
        n_complete as f64 >= MOSTLY * counts.len() as f64 && !counts.is_empty()
    }

    /// Whether some position has one fact for each combination of values of these columns, and no more.
    pub(crate) fn fills_once(&self, columns: &[usize]) -> bool {
        let n_combinations: usize = columns.iter().map(|&column| self.columns[column].values.len()).product();
        let mut keys = Vec::new();
        (0..self.n_positions()).any(|position| {
            self.rows(position).len() == n_combinations
                && self.n_different(position, columns, &mut keys) == n_combinations
        })
    }

    /// Whether the facts are not the same in all positions.
    pub(crate) fn changes(&self) -> bool {
        self.positions.windows(2).any(|pair| pair[0] != pair[1])
    }

    /// Whether most values of a column occur in one fact at most of each position, as the names of pieces do.
    pub(crate) fn names_pieces(&self, column: usize) -> bool {
        let n_values = self.columns[column].values.len();
        let mut is_unique = vec![true; n_values];
        for position in 0..self.n_positions() {
            let mut is_seen = vec![false; n_values];
            for row in self.rows(position) {
                let value = usize::from(row[column]);
                is_unique[value] &= !is_seen[value];
                is_seen[value] = true;
            }
        }
        2 * is_unique.iter().filter(|&&is_unique| is_unique).count() >= n_values
    }

    /// How many different combinations of values these columns have in a position.
    fn n_different(&self, position: usize, columns: &[usize], keys: &mut Vec<u64>) -> usize {
        keys.clear();
        keys.extend(self.rows(position).map(|row| key(row, columns)));
        keys.sort_unstable();
        keys.dedup();
        keys.len()
    }
}

/// The values of at most four columns in one number.
fn key(row: &[u16], columns: &[usize]) -> u64 {
    debug_assert!(columns.len() <= 4, "four values fit");
    columns.iter().fold(0, |key, &column| key << 16 | u64::from(row[column]))
}
