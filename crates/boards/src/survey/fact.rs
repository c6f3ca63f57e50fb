//! A fact or a move taken apart.

/// A relation and its arguments, in canonical text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fact<'a> {
    pub(crate) relation: &'a str,
    pub(crate) arguments: Vec<&'a str>,
}

impl<'a> Fact<'a> {
    /// Takes canonical text apart: `(at (disc 1) left)` has the arguments `(disc 1)` and `left`.
    pub(crate) fn of(text: &'a str) -> Self {
        let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let mut words = inner.map_or_else(|| vec![text], elements).into_iter();
        let relation = words.next().unwrap_or(text);
        Self { relation, arguments: words.collect() }
    }
}

fn elements(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0_u32, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b' ' if depth == 0 => {
                found.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_terms_stay_whole() {
        let fact = Fact::of("(on (disc 1) (peg (left end)) 3)");
        assert_eq!((fact.relation, fact.arguments), ("on", vec!["(disc 1)", "(peg (left end))", "3"]));
        assert_eq!(Fact::of("lost"), Fact { relation: "lost", arguments: vec![] });
    }
}
