//! Moves to choose from, in columns, or in groups where they are many.

use super::ink::Ink;
use super::move_list::ListedMove;

/// A longer menu is grouped.
const MOST_LINES: usize = 16;
/// Moves are grouped by as many words as give no more groups than this.
const MOST_GROUPS: usize = 24;
const GAP: usize = 3;

/// The lines of a menu.
pub(super) fn menu(moves: &[&ListedMove], is_numbered: bool, ink: Ink, width: usize) -> Vec<String> {
    let digits = moves.iter().map(|listed| listed.number).max().unwrap_or(0).to_string().len();
    let entry = |listed: &&ListedMove| match is_numbered {
        true => (format!("{:>digits$}) ", listed.number), listed.shown.clone()),
        false => (String::new(), listed.shown.clone()),
    };
    let whole = columns(&moves.iter().map(entry).collect::<Vec<_>>(), ink, width);
    if whole.len() <= MOST_LINES {
        return whole;
    }
    match groups(moves) {
        Some(groups) => {
            let title = format!("  {} moves: type the beginning of one to see more", moves.len());
            [vec![title], columns(&groups, ink, width)].concat()
        }
        None => whole,
    }
}

/// The moves by their first words, each group with its size.
fn groups(moves: &[&ListedMove]) -> Option<Vec<(String, String)>> {
    let beginning = |listed: &ListedMove, n_words: usize| {
        let words: Vec<&str> = listed.shown.split(' ').take(n_words).collect();
        words.join(" ")
    };
    let by_words = |n_words: usize| {
        let mut groups: Vec<(String, usize)> = Vec::new();
        for listed in moves {
            let name = beginning(listed, n_words);
            match groups.last_mut().filter(|(last, _)| *last == name) {
                Some((_, count)) => *count += 1,
                None => groups.push((name, 1)),
            }
        }
        groups
    };
    let longest = moves.iter().map(|listed| listed.shown.split(' ').count()).max()?;
    let fitting = (1..longest).map(by_words).take_while(|groups| groups.len() <= MOST_GROUPS);
    let finest = fitting.filter(|groups| groups.len() > 1).last()?;
    let digits = finest.iter().map(|(_, count)| *count).max()?.to_string().len();
    let entry = |(name, count): (String, usize)| (format!("{count:>digits$} x "), format!("{name} .."));
    Some(finest.into_iter().map(entry).collect())
}

/// Entries of a faint and a plain part, top to bottom, then left to right.
fn columns(entries: &[(String, String)], ink: Ink, width: usize) -> Vec<String> {
    let entry_width = |(label, text): &(String, String)| label.chars().count() + text.chars().count();
    let widest = entries.iter().map(entry_width).max().unwrap_or(0);
    let n_columns = ((width.saturating_sub(2) + GAP) / (widest + GAP)).max(1);
    let n_lines = entries.len().div_ceil(n_columns);
    let line = |at: usize| {
        let mut line = String::from(" ");
        let mut missing = 1;
        for entry in entries.iter().skip(at).step_by(n_lines) {
            line.push_str(&" ".repeat(missing));
            line.push_str(&ink.faint(&entry.0));
            line.push_str(&entry.1);
            missing = widest - entry_width(entry) + GAP;
        }
        line
    };
    (0..n_lines).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::move_list::MoveList;

    #[test]
    fn few_moves_are_listed_by_columns() {
        let list = MoveList::new(&(1..=7).map(|n| format!("(drop {n})")).collect::<Vec<_>>());
        let lines = menu(&list.all(), true, Ink::PLAIN, 40);
        assert_eq!(
            lines,
            ["  1) drop 1   4) drop 4   7) drop 7", "  2) drop 2   5) drop 5", "  3) drop 3   6) drop 6"]
        );
    }

    #[test]
    fn many_moves_are_grouped_by_their_first_words() {
        let moves = (0..400).map(|n| format!("(move {} {} {})", n / 200 + 1, n / 100 % 2, n % 100));
        let list = MoveList::new(&moves.collect::<Vec<_>>());
        let lines = menu(&list.all(), true, Ink::PLAIN, 40);
        assert_eq!(lines[0], "  400 moves: type the beginning of one to see more");
        assert_eq!(
            lines[1..],
            ["  100 x move 1 0 ..   100 x move 2 0 ..", "  100 x move 1 1 ..   100 x move 2 1 .."]
        );
    }
}
