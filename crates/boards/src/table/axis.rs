//! One direction of a board.

use crate::rules::Chain;
use std::sync::Arc;

/// A board with longer sides than this is not drawn.
pub(crate) const LONGEST: usize = 40;
/// Longer numbers are codes, not coordinates.
const MOST_DIGITS: usize = 4;

/// The form of an axis's values.
#[derive(Clone, Debug)]
enum Kind {
    Letters,
    /// Numbers behind a common prefix, such as `c` in `c1`; all of `width` digits if that is not 0.
    Numbers {
        prefix: String,
        width: usize,
    },
    /// Names that a static relation puts in an order.
    Names(Arc<Chain>),
}

/// Coordinates in order and without gaps.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    kind: Kind,
    /// The first value: a character, a number, or a place in the chain.
    first: usize,
    values: Vec<String>,
}

impl PartialEq for Axis {
    fn eq(&self, other: &Self) -> bool {
        self.is_like(other) && self.first == other.first && self.values.len() == other.values.len()
    }
}

impl Axis {
    /// The axis on which all these values lie: numbers, single letters, or names in a static chain, with few gaps.
    pub(crate) fn of(values: &[&str], chains: &[Arc<Chain>]) -> Option<Self> {
        if values.len() < 2 {
            return None;
        }
        Self::of_numbers(values)
            .or_else(|| Self::of_letters(values))
            .or_else(|| Self::of_names(values, chains))
    }

    fn of_letters(values: &[&str]) -> Option<Self> {
        Self::spanning(Kind::Letters, values)
    }

    fn of_numbers(values: &[&str]) -> Option<Self> {
        let first = values[0];
        let prefix = &first[..first.find(|c: char| c.is_ascii_digit())?];
        let digits: Vec<&str> =
            values.iter().map(|value| value.strip_prefix(prefix)).collect::<Option<_>>()?;
        let is_padded = digits.iter().any(|digits| digits.len() > 1 && digits.starts_with('0'));
        let width = if is_padded { digits[0].len() } else { 0 };
        let is_plain =
            |digits: &&str| digits.len() <= MOST_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
        let is_regular =
            digits.iter().all(is_plain) && (!is_padded || digits.iter().all(|digits| digits.len() == width));
        is_regular.then(|| Self::spanning(Kind::Numbers { prefix: prefix.to_owned(), width }, values))?
    }

    /// Of several chains the shortest, which says the most.
    fn of_names(values: &[&str], chains: &[Arc<Chain>]) -> Option<Self> {
        let has_all = |chain: &&Arc<Chain>| values.iter().all(|value| chain.place(value).is_some());
        let mut fitting: Vec<&Arc<Chain>> = chains.iter().filter(has_all).collect();
        fitting.sort_by_key(|chain| chain.len());
        fitting.into_iter().find_map(|chain| Self::spanning(Kind::Names(chain.clone()), values))
    }

    /// The axis of a kind from the least to the greatest of the values, if most of its values occur.
    fn spanning(kind: Kind, values: &[&str]) -> Option<Self> {
        let numbers = values.iter().map(|value| kind.number(value)).collect::<Option<Vec<_>>>()?;
        let (first, last) = (*numbers.iter().min()?, *numbers.iter().max()?);
        let span = last - first + 1;
        let is_dense = span <= LONGEST && span <= values.len() + values.len() / 2;
        (values.len() >= 2 && is_dense).then(|| Self::between(kind, first, last))
    }

    fn between(kind: Kind, first: usize, last: usize) -> Self {
        let values = (first..=last).map(|number| kind.text(number)).collect();
        Self { kind, first, values }
    }

    /// The coordinates in order.
    pub(crate) fn values(&self) -> &[String] {
        &self.values
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Where a value lies, counted from the first one; it may lie outside.
    pub(crate) fn place(&self, value: &str) -> Option<i32> {
        let number = i32::try_from(self.kind.number(value)?).ok()?;
        Some(number - i32::try_from(self.first).ok()?)
    }

    /// Where a value lies on the axis.
    pub(crate) fn index(&self, value: &str) -> Option<usize> {
        usize::try_from(self.place(value)?).ok().filter(|&place| place < self.len())
    }

    /// Whether the values are numbers and nothing else.
    pub(crate) fn is_numeric(&self) -> bool {
        matches!(&self.kind, Kind::Numbers { prefix, .. } if prefix.is_empty())
    }

    /// Whether the coordinates are of the same kind.
    pub(crate) fn is_like(&self, other: &Axis) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Letters, Kind::Letters) => true,
            (Kind::Numbers { prefix: left, .. }, Kind::Numbers { prefix: right, .. }) => left == right,
            (Kind::Names(left), Kind::Names(right)) => Arc::ptr_eq(left, right),
            _ => false,
        }
    }

    /// Whether both may be the same direction of the same board: of one kind, and overlapping by half.
    pub(crate) fn overlaps(&self, other: &Axis) -> bool {
        if !self.is_like(other) {
            return false;
        }
        let (first, last) = (self.first.max(other.first), self.last().min(other.last()));
        let common = (last + 1).saturating_sub(first);
        2 * common >= self.len().min(other.len()) && self.union(other).len() <= LONGEST
    }

    /// Whether both are the same direction of the same board, but for some values that were not seen.
    pub(crate) fn is_similar(&self, other: &Axis) -> bool {
        self.overlaps(other) && 2 * self.len().min(other.len()) >= self.len().max(other.len())
    }

    /// The axis from the first value of both to the last; they are of one kind.
    #[must_use]
    pub(crate) fn union(&self, other: &Axis) -> Axis {
        Self::between(self.kind.clone(), self.first.min(other.first), self.last().max(other.last()))
    }

    /// The axis with places added before it or behind it, where there are such coordinates.
    #[must_use]
    pub(crate) fn extended(&self, from: i32, to: i32) -> Axis {
        let number = |place: i32| usize::try_from(self.first as i64 + i64::from(place)).ok();
        let is_coordinate = |number: &usize| self.kind.has(*number);
        let first = number(from.min(0)).filter(is_coordinate).unwrap_or(self.first);
        let last = number(to).filter(is_coordinate).unwrap_or(self.last()).max(self.last());
        match last - first < LONGEST {
            true => Self::between(self.kind.clone(), first, last),
            false => self.clone(),
        }
    }

    fn last(&self) -> usize {
        self.first + self.values.len() - 1
    }

    /// Whether, of two axes in this order, the first counts the columns. Names do if the other are numbers; a prefix that
    /// says row or column is believed, for the sake of the reader; else the first of the two does.
    pub(crate) fn first_is_column(first: &Self, second: &Self) -> bool {
        match (&first.kind, &second.kind) {
            (_, Kind::Numbers { .. }) if !first.is_numeric() && second.is_numeric() => true,
            (Kind::Numbers { .. }, _) if first.is_numeric() && !second.is_numeric() => false,
            (Kind::Numbers { prefix: first, .. }, Kind::Numbers { prefix: second, .. }) => {
                !matches!((first.as_str(), second.as_str()), ("r" | "row", "c" | "col") | ("y", "x"))
            }
            _ => true,
        }
    }
}

impl Kind {
    fn number(&self, value: &str) -> Option<usize> {
        match self {
            Kind::Letters => match value.as_bytes() {
                [byte] if byte.is_ascii_lowercase() => Some(usize::from(*byte)),
                _ => None,
            },
            Kind::Numbers { prefix, width } => {
                let digits = value.strip_prefix(prefix.as_str())?;
                let is_padded = digits.len() > 1 && digits.starts_with('0');
                let is_number = !digits.is_empty()
                    && digits.len() <= MOST_DIGITS
                    && digits.bytes().all(|byte| byte.is_ascii_digit());
                let fits = if *width == 0 { !is_padded } else { digits.len() == *width };
                (is_number && fits).then(|| digits.parse().ok())?
            }
            Kind::Names(chain) => chain.place(value),
        }
    }

    fn text(&self, number: usize) -> String {
        match self {
            Kind::Letters => char::from(u8::try_from(number).unwrap_or(b'?')).to_string(),
            Kind::Numbers { prefix, width } => format!("{prefix}{number:0>width$}"),
            Kind::Names(chain) => chain.value(number).unwrap_or_default().to_owned(),
        }
    }

    fn has(&self, number: usize) -> bool {
        match self {
            Kind::Letters => (usize::from(b'a')..=usize::from(b'z')).contains(&number),
            Kind::Numbers { .. } => true,
            Kind::Names(chain) => number < chain.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(text: &str) -> Option<Axis> {
        Axis::of(&text.split(' ').collect::<Vec<_>>(), &[])
    }

    #[test]
    fn numbers_and_letters_without_large_gaps_are_coordinates() {
        let numbers = axis("1 10 2 3 4 5 6 8 9").expect("an axis");
        assert_eq!(numbers.values(), ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
        assert_eq!(axis("a b c d").expect("an axis").len(), 4);
        assert_eq!(axis("c1 c2 c3").expect("an axis").values(), ["c1", "c2", "c3"]);
        assert_eq!(axis("c01 c02 c04").expect("an axis").values(), ["c01", "c02", "c03", "c04"]);
    }

    #[test]
    fn marks_and_codes_are_not_coordinates() {
        for values in
            ["b o x", "1", "p0100 p1101", "1 50", "b w", "1 b", "white black", "01 2", "é 1", "1é 2"]
        {
            assert_eq!(axis(values), None, "{values}");
        }
    }

    #[test]
    fn names_follow_a_chain() {
        let chain = |names: &str| Arc::new(Chain::new(names.split(' ').map(str::to_owned).collect()));
        let chains = [chain("zero one two three four five"), chain("two one nought")];
        let axis = |text: &str| Axis::of(&text.split(' ').collect::<Vec<_>>(), &chains);
        assert_eq!(axis("four one two").expect("an axis").values(), ["one", "two", "three", "four"]);
        assert_eq!(axis("one two").expect("the shortest chain").values(), ["two", "one"]);
        assert_eq!(axis("one ten"), None);
    }

    #[test]
    fn names_are_columns_beside_numbers() {
        let first_is_column = |first, second| {
            Axis::first_is_column(&axis(first).expect("an axis"), &axis(second).expect("an axis"))
        };
        assert!(first_is_column("a b", "1 2") && !first_is_column("1 2", "a b"));
        assert!(first_is_column("1 2", "1 2") && first_is_column("a b", "a b"));
        assert!(first_is_column("c1 c2", "r1 r2") && !first_is_column("r1 r2", "c1 c2"));
    }

    #[test]
    fn places_may_lie_outside() {
        let axis = axis("3 4 5").expect("an axis");
        assert_eq!(
            (axis.place("2"), axis.place("6"), axis.index("6"), axis.index("5")),
            (Some(-1), Some(3), None, Some(2))
        );
        assert_eq!(axis.extended(-2, 4).values(), ["1", "2", "3", "4", "5", "6", "7"]);
        assert_eq!(axis.extended(-9, 0).values(), ["3", "4", "5"]);
    }

    #[test]
    fn axes_overlap_by_half() {
        let overlaps = |left, right| axis(left).expect("an axis").overlaps(&axis(right).expect("an axis"));
        assert!(overlaps("1 2 3 4", "3 4 5 6") && overlaps("2 3", "1 2 3 4 5 6 7 8"));
        assert!(!overlaps("1 2 3 4", "4 5 6 7") && !overlaps("1 2", "a b"));
    }
}
