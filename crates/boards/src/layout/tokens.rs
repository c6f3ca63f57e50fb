//! Short names for what stands on the squares of boards.

use crate::scene::BLANK;
use std::collections::{BTreeMap, BTreeSet};

/// How a square is written of which the facts say only that it is there.
const PRESENT: &str = "#";
/// How marks beside other things are written, each relation with its own.
const MARKS: [&str; 8] = ["*", "+", "~", "^", "=", "%", "&", "@"];

/// More contents than this are written out rather than told apart by letters, if none is longer than that.
const MOST_LETTERS: usize = 12;
const LONGEST_WHOLE: usize = 5;

/// The contents seen on the squares of a board.
pub(crate) type Contents = BTreeSet<String>;

/// A short name for each content, and what to tell the reader about them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tokens {
    by_content: BTreeMap<String, String>,
    by_mark: BTreeMap<String, &'static str>,
    /// Explanations of the names that need one.
    pub(crate) legend: Vec<String>,
}

impl Tokens {
    /// Names for the contents of all boards and for the relations that mark squares, of which some are alone on their
    /// board. The roles help to see whose a piece is.
    pub(crate) fn choose(
        boards: &[Contents],
        blanks: &BTreeSet<String>,
        marks: &[(String, bool)],
        roles: &[String],
    ) -> Self {
        let mut tokens = Self::default();
        let all: BTreeSet<&str> = boards.iter().flatten().map(String::as_str).collect();
        let is_piece = |content: &&str| !blanks.contains(*content);
        tokens.by_content.extend(blanks.iter().map(|blank| (blank.clone(), BLANK.to_owned())));
        let pieces: Vec<&str> = all.into_iter().filter(is_piece).collect();
        match sides(&pieces, roles) {
            Some(sides) => tokens.name_by_side(&pieces, &sides),
            None => tokens.name_by_letters(&pieces),
        }
        tokens.name_marks(marks);
        tokens
    }

    /// The short name of a content, if it was seen.
    pub(crate) fn token<'a>(&'a self, content: &'a str) -> &'a str {
        self.by_content.get(content).map_or(content, String::as_str)
    }

    /// The short name of a relation that marks squares.
    pub(crate) fn mark(&self, relation: &str) -> &'static str {
        self.by_mark.get(relation).copied().unwrap_or(PRESENT)
    }

    fn name_marks(&mut self, marks: &[(String, bool)]) {
        let mut signs = MARKS.into_iter().chain(std::iter::repeat(PRESENT));
        for (relation, is_alone) in marks {
            let sign = if *is_alone { PRESENT } else { signs.next().unwrap_or(PRESENT) };
            if self.by_mark.insert(relation.clone(), sign).is_none() && !is_alone {
                self.legend.push(format!("{sign} {relation}"));
            }
        }
    }

    /// Of two sides one has upper case letters and one lower case, as in chess; of more, each has a letter.
    fn name_by_side(&mut self, pieces: &[&str], sides: &Sides) {
        let split: Vec<(&str, usize, &str)> = pieces
            .iter()
            .filter_map(|&piece| sides.split(piece).map(|(side, kind)| (piece, side, kind)))
            .collect();
        let kinds = distinct_letters(&split.iter().map(|&(_, _, kind)| kind).collect());
        let titles = distinct_letters(&sides.titles.iter().map(String::as_str).collect());
        for (piece, side, kind) in split {
            let token = match (sides.titles.len(), side) {
                (2, 0) => kinds[kind].to_uppercase(),
                (2, _) => kinds[kind].clone(),
                _ => format!("{}{}", titles[sides.titles[side].as_str()], kinds[kind]),
            };
            self.by_content.insert(piece.to_owned(), token);
        }
        match sides.titles.as_slice() {
            [upper, lower] => self.legend.push(format!("upper case {upper}, lower case {lower}")),
            _ => self.legend.extend(titles.iter().map(|(title, letter)| format!("{letter}. {title}"))),
        }
        let dot = if sides.titles.len() == 2 { "" } else { "." };
        let explained = kinds.iter().filter(|(kind, letter)| *kind != letter);
        self.legend.extend(explained.map(|(kind, letter)| format!("{dot}{letter} {kind}")));
    }

    fn name_by_letters(&mut self, pieces: &[&str]) {
        let is_tellable =
            pieces.len() <= MOST_LETTERS || pieces.iter().any(|piece| piece.len() > LONGEST_WHOLE);
        let (short, long): (Vec<&str>, Vec<&str>) =
            pieces.iter().partition(|piece| !is_tellable || is_short(piece, pieces));
        let mut taken: BTreeSet<String> = short.iter().map(|&piece| piece.to_owned()).collect();
        self.by_content.extend(short.iter().map(|&piece| (piece.to_owned(), piece.to_owned())));
        for piece in long {
            let token = short_name(piece, &taken);
            self.legend.push(format!("{token} {piece}"));
            taken.insert(token.clone());
            self.by_content.insert(piece.to_owned(), token);
        }
    }
}

/// Whether a content stands for itself: one character, a number, or two characters where the first alone would
/// not tell it from the others.
fn is_short(piece: &str, pieces: &[&str]) -> bool {
    let first = piece.chars().next();
    let is_number = piece.bytes().all(|byte| byte.is_ascii_digit());
    match piece.chars().count() {
        0 | 1 => true,
        2 => is_number || pieces.iter().filter(|other| other.chars().next() == first).count() > 1,
        length => is_number && length == 3,
    }
}

/// The beginnings of the pieces' names that tell the sides apart.
struct Sides {
    beginnings: Vec<String>,
    /// The names of the sides.
    titles: Vec<String>,
}

impl Sides {
    /// The side of a piece, and its kind.
    fn split<'a>(&self, piece: &'a str) -> Option<(usize, &'a str)> {
        self.beginnings.iter().enumerate().find_map(|(side, beginning)| {
            let kind = piece.strip_prefix(beginning.as_str())?.trim_start_matches([' ', '_', '-']);
            kind.starts_with(|c: char| c.is_ascii_alphabetic()).then_some((side, kind))
        })
    }
}

/// The sides whose names all pieces begin with.
fn sides(pieces: &[&str], roles: &[String]) -> Option<Sides> {
    let list = |names: [&str; 2]| names.map(str::to_owned).to_vec();
    let (names, initials) = (list(["white", "black"]), list(["w", "b"]));
    let candidates = [(names.clone(), names.clone()), (roles.to_vec(), roles.to_vec()), (initials, names)];
    candidates.into_iter().find_map(|(beginnings, titles)| {
        let sides = Sides { beginnings, titles };
        let split = pieces.iter().map(|piece| sides.split(piece)).collect::<Option<Vec<_>>>()?;
        let n_sides = split.iter().map(|(side, _)| side).collect::<BTreeSet<_>>().len();
        let n_kinds = split.iter().map(|(_, kind)| kind).collect::<BTreeSet<_>>().len();
        // `w` and `b` begin many words: only codes such as `wk` are pieces.
        let is_code = sides.beginnings.iter().all(|beginning| beginning.len() > 1)
            || split.iter().all(|(_, kind)| kind.len() <= 2);
        (n_sides >= 2 && is_code && (2..=20).contains(&n_kinds)).then_some(sides)
    })
}

/// A lower case letter for each name, the first one if it is free; two characters when letters run out.
fn distinct_letters<'a>(names: &BTreeSet<&'a str>) -> BTreeMap<&'a str, String> {
    let mut letters: BTreeMap<&str, String> = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for name in names {
        let mut free = name.chars().filter(char::is_ascii_lowercase).map(String::from);
        let letter = free.find(|letter| !taken.contains(letter));
        let letter = letter.unwrap_or_else(|| two_characters(name, &taken));
        taken.insert(letter.clone());
        letters.insert(name, letter);
    }
    letters
}

/// One letter of the name that is not taken yet, small or capital; two characters when letters run out and for
/// names that begin with a number.
fn short_name(name: &str, taken: &BTreeSet<String>) -> String {
    let letters = || name.chars().filter(char::is_ascii_alphabetic).map(String::from);
    let capitals = letters().map(|letter| letter.to_uppercase());
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        return two_characters(name, taken);
    }
    let mut candidates = letters().take(1).chain(capitals.take(1)).chain(letters());
    candidates.find(|letter| !taken.contains(letter)).unwrap_or_else(|| two_characters(name, taken))
}

fn two_characters(name: &str, taken: &BTreeSet<String>) -> String {
    let characters: Vec<char> = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let first = characters.first().copied().unwrap_or('?');
    let initials = name.split(' ').skip(1).filter_map(|word| word.chars().next());
    let second = initials.chain(characters.into_iter().skip(1)).chain('0'..='9').chain('a'..='z');
    let mut pairs = second.map(|second| format!("{first}{second}"));
    pairs.find(|pair| !taken.contains(pair)).unwrap_or_else(|| format!("{first}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens_of(contents: &[&str], blanks: &[&str]) -> Tokens {
        let roles = ["white".to_owned(), "black".to_owned()];
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<BTreeSet<_>>();
        Tokens::choose(&[owned(contents)], &owned(blanks), &[], &roles)
    }

    #[test]
    fn chess_pieces_are_upper_and_lower_case() {
        let names = ["whiteking", "whiteknight", "blackking", "blackknight", "blackpawn"];
        let tokens = tokens_of(&names, &[]);
        assert_eq!(names.map(|name| tokens.token(name)), ["K", "N", "k", "n", "p"]);
        assert_eq!(tokens.legend.join("; "), "upper case white, lower case black; k king; n knight; p pawn");
        let two_letters = tokens_of(&["wk", "bp"], &[]);
        assert_eq!((two_letters.token("wk"), two_letters.token("bp")), ("K", "p"));
    }

    #[test]
    fn pieces_of_three_sides_have_two_letters() {
        let names = ["redpawn", "redking", "bluepawn", "greenking"];
        let roles = ["red", "blue", "green"].map(str::to_owned);
        let contents = names.map(str::to_owned).into();
        let tokens = Tokens::choose(&[contents], &BTreeSet::new(), &[], &roles);
        assert_eq!(names.map(|name| tokens.token(name)), ["rp", "rk", "bp", "gk"]);
        assert_eq!(tokens.legend, ["b. blue", "g. green", "r. red", ".k king", ".p pawn"]);
    }

    #[test]
    fn marks_stand_for_themselves() {
        let tokens = tokens_of(&["x", "o", "b"], &["b"]);
        assert_eq!(["x", "o", "b"].map(|mark| tokens.token(mark)), ["x", "o", BLANK]);
        assert!(tokens.legend.is_empty());
    }

    #[test]
    fn long_names_get_letters_of_their_own() {
        let tokens = tokens_of(&["arrow", "b", "black", "white", "brown"], &[]);
        assert_eq!(["arrow", "black", "brown", "white"].map(|name| tokens.token(name)), ["a", "B", "r", "w"]);
        assert_eq!(tokens.legend, ["a arrow", "B black", "r brown", "w white"]);
    }

    #[test]
    fn relations_that_mark_squares_have_signs() {
        let marks = [("lit".to_owned(), true), ("last".to_owned(), false), ("hot".to_owned(), false)];
        let tokens = Tokens::choose(&[], &BTreeSet::new(), &marks, &[]);
        assert_eq!(["lit", "last", "hot"].map(|name| tokens.mark(name)), [PRESENT, "*", "+"]);
        assert_eq!(tokens.legend, ["* last", "+ hot"]);
    }
}
