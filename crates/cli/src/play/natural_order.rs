//! The order in which people expect names: `(place 1 2)` before `(place 1 10)`.

use std::cmp::Ordering;

/// Compares texts with runs of digits as numbers.
pub(super) fn natural_order(left: &str, right: &str) -> Ordering {
    let (mut left_rest, mut right_rest) = (left, right);
    while let (Some(left_head), Some(right_head)) = (left_rest.chars().next(), right_rest.chars().next()) {
        let order = if left_head.is_ascii_digit() && right_head.is_ascii_digit() {
            let (left_number, right_number) = (take_number(&mut left_rest), take_number(&mut right_rest));
            left_number.len().cmp(&right_number.len()).then_with(|| left_number.cmp(right_number))
        } else {
            left_rest = &left_rest[left_head.len_utf8()..];
            right_rest = &right_rest[right_head.len_utf8()..];
            left_head.cmp(&right_head)
        };
        if order.is_ne() {
            return order;
        }
    }
    left_rest.len().cmp(&right_rest.len()).then_with(|| left.cmp(right))
}

/// The digits at the beginning, without leading zeros.
fn take_number<'a>(text: &mut &'a str) -> &'a str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    *text = rest;
    number.trim_start_matches('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_inside_text_are_compared_as_numbers() {
        let mut names = ["a10", "a9", "b", "a", "(move 2 10)", "(move 2 9 1)", "(move 10 1)", "noop"];
        names.sort_by(|left, right| natural_order(left, right));
        assert_eq!(names, ["(move 2 9 1)", "(move 2 10)", "(move 10 1)", "a", "a9", "a10", "b", "noop"]);
    }

    #[test]
    fn different_texts_are_never_equal() {
        // All texts of up to four of these characters: leading zeros, numbers beside names, characters of two bytes.
        let mut texts = vec![String::new()];
        let mut first = 0;
        for _ in 0..4 {
            let last = texts.len();
            for at in first..last {
                texts.extend(['0', '1', '2', 'a', 'é', ' '].map(|c| format!("{}{c}", texts[at])));
            }
            first = last;
        }
        texts.sort_by(|left, right| natural_order(left, right));
        for (at, left) in texts.iter().enumerate() {
            assert_eq!(natural_order(left, left), Ordering::Equal, "{left:?}");
            for right in &texts[at + 1..] {
                assert_eq!(natural_order(left, right), Ordering::Less, "{left:?} and {right:?}");
                assert_eq!(natural_order(right, left), Ordering::Greater, "{right:?} and {left:?}");
            }
        }
    }
}
