//! Short names for what stands on the squares of boards.

use std::collections::{BTreeMap, BTreeSet};

/// How an empty square is drawn.
pub(super) const BLANK: &str = ".";
/// How a square is drawn of which the facts say only that it is there.
pub(super) const PRESENT: &str = "#";

/// Contents that mean an empty square in every game.
const BLANK_WORDS: [&str; 6] = ["blank", "empty", "none", "nothing", "off", "-"];
/// Contents that mean an empty square where most squares hold them at the start.
const BLANK_LETTERS: [&str; 4] = ["b", "e", "n", "o"];
/// Contents that mean an empty square beside contents that are words or numbers.
const BLANK_INITIALS: [&str; 2] = ["b", "e"];

/// More contents than this are written out rather than told apart by letters, if none is longer than that.
const MOST_LETTERS: usize = 12;
const LONGEST_WHOLE: usize = 5;

/// What has been seen on the squares of a board, with how often at the start.
pub(super) type Contents = BTreeMap<String, usize>;

/// A short name for each content, and what to tell the reader about them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Tokens {
    by_content: BTreeMap<String, String>,
    /// Explanations of the names that need one.
    pub(super) legend: Vec<String>,
}

impl Tokens {
    /// Names for the contents of all boards. The roles help to see whose a piece is.
    pub(super) fn choose(boards: &[Contents], roles: &[String]) -> Self {
        let mut tokens = Self::default();
        let blanks: BTreeSet<&str> = boards.iter().flat_map(blanks).collect();
        let all: BTreeSet<&str> =
            boards.iter().flat_map(|contents| contents.keys().map(String::as_str)).collect();
        tokens.by_content.extend(blanks.iter().map(|&blank| (blank.to_owned(), BLANK.to_owned())));
        let pieces: Vec<&str> = all.difference(&blanks).copied().collect();
        match sides(&pieces, roles) {
            Some(sides) => tokens.name_by_side(&pieces, &sides),
            None => tokens.name_by_letters(&pieces),
        }
        tokens
    }

    /// The short name of a content.
    pub(super) fn token<'a>(&'a self, content: &'a str) -> &'a str {
        self.by_content.get(content).map_or(content, String::as_str)
    }

    /// Whether the content means an empty square.
    pub(super) fn is_blank(&self, content: &str) -> bool {
        self.token(content) == BLANK
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

/// The contents that mean an empty square.
fn blanks(contents: &Contents) -> Vec<&str> {
    let n_squares: usize = contents.values().sum();
    let has_word = BLANK_WORDS.iter().any(|&word| contents.contains_key(word));
    let is_letter =
        |content: &String| content.len() == 1 && !content.bytes().all(|byte| byte.is_ascii_digit());
    let n_letters = contents.keys().filter(|content| is_letter(content)).count();
    let is_blank = |content: &str, count: usize| {
        BLANK_WORDS.contains(&content)
            || !has_word
                && (BLANK_LETTERS.contains(&content) && 2 * count > n_squares
                    || BLANK_INITIALS.contains(&content) && n_letters == 1)
    };
    let found = contents.iter().filter(|&(content, &count)| is_blank(content, count));
    found.map(|(content, _)| content.as_str()).collect()
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
    /// What to call the sides.
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
        let is_code = sides.beginnings[0].len() > 1 || split.iter().all(|(_, kind)| kind.len() <= 2);
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

    fn tokens(contents: &[(&str, usize)]) -> Tokens {
        let roles = ["white".to_owned(), "black".to_owned()];
        let contents = contents.iter().map(|&(content, count)| (content.to_owned(), count)).collect();
        Tokens::choose(&[contents], &roles)
    }

    #[test]
    fn chess_pieces_are_upper_and_lower_case() {
        let names = ["whiteking", "whiteknight", "blackking", "blackknight", "blackpawn"];
        let tokens = tokens(&names.map(|name| (name, 1)));
        assert_eq!(names.map(|name| tokens.token(name)), ["K", "N", "k", "n", "p"]);
        assert_eq!(tokens.legend.join("; "), "upper case white, lower case black; k king; n knight; p pawn");
        let two_letters = Tokens::choose(&[[("wk".into(), 1), ("bp".into(), 1)].into()], &[]);
        assert_eq!((two_letters.token("wk"), two_letters.token("bp")), ("K", "p"));
    }

    #[test]
    fn pieces_of_three_sides_have_two_letters() {
        let names = ["redpawn", "redking", "bluepawn", "greenking"];
        let roles = ["red", "blue", "green"].map(str::to_owned);
        let tokens = Tokens::choose(&[names.map(|name| (name.to_owned(), 1)).into()], &roles);
        assert_eq!(names.map(|name| tokens.token(name)), ["rp", "rk", "bp", "gk"]);
        assert_eq!(tokens.legend, ["b. blue", "g. green", "r. red", ".k king", ".p pawn"]);
    }

    #[test]
    fn marks_stand_for_themselves() {
        let tokens = tokens(&[("x", 0), ("o", 0), ("b", 9)]);
        assert_eq!(["x", "o", "b"].map(|mark| tokens.token(mark)), ["x", "o", BLANK]);
        assert!(tokens.legend.is_empty());
    }

    #[test]
    fn b_is_black_unless_the_board_begins_with_it() {
        assert_eq!(tokens(&[("b", 12), ("w", 12), ("empty", 40)]).token("b"), "b");
        assert_eq!(tokens(&[("b", 0), ("w", 0)]).token("b"), "b");
    }

    #[test]
    fn b_is_blank_beside_words_and_numbers() {
        assert!(tokens(&[("b", 2), ("white", 12), ("black", 12)]).is_blank("b"));
        assert!(tokens(&[("b", 1), ("1", 1), ("2", 1), ("3", 1)]).is_blank("b"));
    }

    #[test]
    fn long_names_get_letters_of_their_own() {
        let tokens = tokens(&[("arrow", 0), ("b", 90), ("black", 4), ("white", 4), ("brown", 1)]);
        assert_eq!(["arrow", "black", "brown", "white"].map(|name| tokens.token(name)), ["a", "b", "B", "w"]);
        assert_eq!(tokens.legend, ["a arrow", "b black", "B brown", "w white"]);
    }
}
