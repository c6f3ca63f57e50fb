//! The legal moves of a person, found by what the person types.

use super::natural_order::natural_order;

/// Legal moves in the order people expect, numbered from 1.
pub(super) struct MoveList {
    moves: Vec<ListedMove>,
}

/// A move as it is played and as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ListedMove {
    pub(super) number: usize,
    /// Canonical text.
    pub(super) text: String,
    /// The text without its outermost parentheses.
    pub(super) shown: String,
    words: Vec<String>,
}

/// What the typed text says.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Found<'a> {
    One(&'a ListedMove),
    Several(Vec<&'a ListedMove>),
    Nothing,
}

impl MoveList {
    pub(super) fn new(legal: &[String]) -> Self {
        let mut texts = legal.to_vec();
        texts.sort_by(|left, right| natural_order(left, right));
        let listed = |(at, text): (usize, String)| ListedMove {
            number: at + 1,
            shown: shown(&text).to_owned(),
            words: words(&text),
            text,
        };
        Self { moves: texts.into_iter().enumerate().map(listed).collect() }
    }

    pub(super) fn all(&self) -> Vec<&ListedMove> {
        self.moves.iter().collect()
    }

    /// Whether moves are shown with numbers: not where moves are numbers themselves.
    pub(super) fn is_numbered(&self) -> bool {
        !self.moves.iter().any(|listed| listed.text.parse::<u64>().is_ok())
    }

    /// The move with exactly these words.
    pub(super) fn exactly(&self, typed: &str) -> Option<&ListedMove> {
        let typed = words(typed);
        self.moves.iter().find(|listed| listed.words == typed)
    }

    /// The moves that are meant by a number, a text in any spacing, or a part of a text. Of several ways to
    /// understand it, the closest that finds anything.
    pub(super) fn find(&self, typed: &str) -> Found<'_> {
        if let Some(listed) = self.exactly(typed) {
            return Found::One(listed);
        }
        if let Ok(number) = typed.trim().parse::<usize>() {
            let listed = number.checked_sub(1).and_then(|at| self.moves.get(at));
            if let Some(listed) = listed.filter(|_| self.is_numbered()) {
                return Found::One(listed);
            }
        }
        let typed = words(typed);
        if typed.is_empty() {
            return Found::Nothing;
        }
        let joined = typed.concat();
        let ways: [&dyn Fn(&ListedMove) -> bool; 5] = [
            &|listed| listed.words.concat() == joined,
            &|listed| begins_with(&listed.words, &typed),
            &|listed| (0..listed.words.len()).any(|at| begins_with(&listed.words[at..], &typed)),
            &|listed| has_in_order(&listed.words, &typed),
            &|listed| listed.words.concat().contains(&joined),
        ];
        let found = |way: &dyn Fn(&ListedMove) -> bool| -> Vec<&ListedMove> {
            self.moves.iter().filter(|listed| way(listed)).collect()
        };
        let closest = ways.into_iter().map(found).find(|found| !found.is_empty());
        match closest.unwrap_or_default().as_slice() {
            [] => Found::Nothing,
            [listed] => Found::One(listed),
            several => Found::Several(several.to_vec()),
        }
    }
}

/// A move without its outermost parentheses.
pub(super) fn shown(text: &str) -> &str {
    text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text)
}

fn words(text: &str) -> Vec<String> {
    let separators = |c: char| c.is_whitespace() || "(),".contains(c);
    text.split(separators).filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect()
}

/// Whether the words begin with those typed, the last of which may be unfinished unless it is a number.
fn begins_with(words: &[String], typed: &[String]) -> bool {
    let Some((last, whole)) = typed.split_last() else { return false };
    words.starts_with(whole) && words.get(whole.len()).is_some_and(|word| is_begun(word, last))
}

fn has_in_order(words: &[String], typed: &[String]) -> bool {
    let mut words = words.iter();
    typed.iter().all(|part| words.any(|word| is_begun(word, part)))
}

fn is_begun(word: &str, part: &str) -> bool {
    word == part || word.starts_with(part) && part.parse::<u64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(moves: &[&str]) -> MoveList {
        MoveList::new(&moves.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())
    }

    fn find(list: &MoveList, typed: &str) -> String {
        match list.find(typed) {
            Found::One(listed) => listed.text.clone(),
            Found::Several(several) => {
                several.iter().map(|listed| listed.shown.as_str()).collect::<Vec<_>>().join(", ")
            }
            Found::Nothing => "nothing".to_owned(),
        }
    }

    #[test]
    fn a_move_is_found_by_number_text_or_part() {
        let moves = list(&["(mark 1 1)", "(mark 1 10)", "(mark 2 1)", "(mark 2 3)", "pass"]);
        assert_eq!(find(&moves, "2"), "(mark 1 10)");
        assert_eq!(find(&moves, " ( MARK  2 3 ) "), "(mark 2 3)");
        assert_eq!(find(&moves, "mark23"), "(mark 2 3)");
        assert_eq!(find(&moves, "mark 2"), "mark 2 1, mark 2 3");
        assert_eq!(find(&moves, "pa"), "pass");
        assert_eq!(find(&moves, "1 10"), "(mark 1 10)");
        assert_eq!(find(&moves, "mark 3"), "(mark 2 3)");
        assert_eq!(find(&moves, "9"), "nothing");
        assert_eq!(find(&moves, "()"), "nothing");
    }

    #[test]
    fn chess_moves_can_be_typed_as_in_chess() {
        let moves = list(&["(move e 2 e 4)", "(move e 2 e 3)", "(move d 2 d 4)"]);
        assert_eq!(find(&moves, "e2e4"), "(move e 2 e 4)");
        assert_eq!(find(&moves, "e2"), "move e 2 e 3, move e 2 e 4");
    }

    #[test]
    fn moves_that_are_numbers_are_found_by_themselves_only() {
        let moves = list(&["0", "1", "2", "noop"]);
        assert!(!moves.is_numbered());
        assert_eq!(find(&moves, "1"), "1");
        assert_eq!(find(&moves, "3"), "nothing");
    }
}
