//! Which parts of a source a finding is shown with.

use senet_gdl::Span;
use std::borrow::Cow;
use std::ops::Range;

/// A line is shown up to this many bytes on each side of a place: machine-made lines have no end.
const CONTEXT: usize = 160;

/// Places that are at most so many lines apart are shown together.
const NEAR: usize = 3;

/// The parts of the text to show: the line of each place, places near each
/// other in one part, the part with the primary place first.
pub(crate) fn excerpts(text: &str, primary: Span, others: impl Iterator<Item = Span>) -> Vec<Range<usize>> {
    let mut lines: Vec<_> = std::iter::once(primary).chain(others).map(|span| line_of(text, span)).collect();
    lines.sort_by_key(|line| line.start);
    let mut parts: Vec<Range<usize>> = Vec::new();
    for line in lines {
        match parts.last_mut() {
            Some(last) if is_near(text, last, &line) => last.end = last.end.max(line.end),
            _ => parts.push(line),
        }
    }
    let primary = primary.start as usize;
    parts.sort_by_key(|part| !(part.start..=part.end).contains(&primary));
    parts
}

/// The part of a place that lies in an excerpt, counted from its start.
pub(crate) fn clip(span: Span, excerpt: &Range<usize>) -> Range<usize> {
    let start = span.range().start - excerpt.start;
    let end = span.range().end.min(excerpt.end).saturating_sub(excerpt.start);
    start..end.max(start)
}

/// The text without the middle of what nobody would read: names can have a million characters.
pub(crate) fn shorten(text: &str) -> Cow<'_, str> {
    const ENDS: usize = 200;
    if text.len() <= 3 * ENDS {
        return text.into();
    }
    let first = &text[..text.floor_char_boundary(ENDS)];
    let last = &text[text.ceil_char_boundary(text.len() - ENDS)..];
    format!("{first} … {last}").into()
}

/// The line on which a place begins, cut where it is too long.
fn line_of(text: &str, span: Span) -> Range<usize> {
    let Range { start, end } = span.range();
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let from = line_start.max(start.saturating_sub(CONTEXT));
    let to = line_end.min(end.min(start + CONTEXT) + CONTEXT);
    text.ceil_char_boundary(from)..text.floor_char_boundary(to)
}

fn is_near(text: &str, before: &Range<usize>, line: &Range<usize>) -> bool {
    let Some(between) = text.get(before.end..line.start) else { return true };
    between.len() <= NEAR * CONTEXT && between.matches('\n').count() <= NEAR
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_lines_are_shown_together_and_far_ones_apart() {
        let text = "aa\nbb\ncc\n\n\n\n\n\ndd";
        let at = |word: &str| {
            let start = text.find(word).unwrap();
            Span::new(start, start + 2)
        };
        let parts = excerpts(text, at("dd"), [at("aa"), at("cc")].into_iter());
        let shown: Vec<_> = parts.into_iter().map(|part| &text[part]).collect();
        assert_eq!(shown, ["dd", "aa\nbb\ncc"]);
    }

    #[test]
    fn endless_lines_are_cut_at_characters() {
        let text = "é".repeat(100_000);
        for start in [0, 50_000, 199_998] {
            let parts = excerpts(&text, Span::new(start, 200_000), std::iter::empty());
            assert_eq!(parts.len(), 1);
            assert!(parts[0].len() <= 3 * CONTEXT && !text[parts[0].clone()].is_empty());
        }
    }
}
