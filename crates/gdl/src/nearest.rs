//! "A similar name exists".

/// The candidate that `name` is most likely a misspelling of.
///
/// ```
/// assert_eq!(senet_gdl::nearest("opne", ["close", "open"]), Some("open"));
/// assert_eq!(senet_gdl::nearest("opne", ["shut"]), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name && candidate.len().abs_diff(name.len()) <= 2 * limit)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Edit distance in which a swap of neighbours counts once. Names too long
/// to be typed by hand are never called similar.
fn distance(a: &str, b: &str) -> usize {
    if a.len().max(b.len()) > 64 {
        return usize::MAX;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                let swapped: &Vec<usize> = &before_last;
                best = best.min(swapped[j - 2] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let cases =
            [("cell", "cell", 0), ("cell", "cel", 1), ("cell", "clel", 1), ("a", "", 1), ("line", "lien", 1)];
        for (a, b, expected) in cases {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn short_names_need_to_be_close() {
        assert_eq!(nearest("x", ["abc"]), None);
        assert_eq!(nearest("connected", ["conected", "other"]), Some("conected"));
    }
}
