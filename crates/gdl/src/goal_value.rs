//! The value of a goal.

/// The value that a term has as a goal: an integer from 0 to 100, in digits only.
///
/// Leading zeros are allowed. Any other text, with a sign or an exponent too, has no value.
///
/// ```
/// assert_eq!(senet_gdl::goal_value("007"), Some(7));
/// assert_eq!(senet_gdl::goal_value("+50"), None);
/// ```
pub fn goal_value(text: &str) -> Option<u8> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&value| is_number && value <= 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_make_a_value() {
        for (text, value) in [("0", 0), ("100", 100), ("007", 7), ("0100", 100), ("000", 0)] {
            assert_eq!(goal_value(text), Some(value), "{text}");
        }
        assert_eq!(goal_value(&format!("{}42", "0".repeat(1_000))), Some(42));
    }

    #[test]
    fn nothing_else_is_a_value() {
        for text in [
            "", "+50", "-1", "-0", "101", "0101", "256", "356", "1e2", "50.0", "0x10", "1_0", "won", "5 0",
            "٥٠", "½", "(f 50)",
        ] {
            assert_eq!(goal_value(text), None, "{text}");
        }
    }
}
