//! Lists and words of a message, as slices of its text.
//!
//! Nothing here knows what a message means, and nothing recurses.

use senet_gdl::{Interner, MAX_DEPTH};
use thiserror::Error;

/// Longer messages are refused. The longest published rulesheet has less than a tenth of it.
pub const MAX_MESSAGE: usize = 16 << 20;

/// Why a text is no message or no reply.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Malformed {
    /// Longer than anything sensible.
    #[error("more than {MAX_MESSAGE} bytes")]
    TooLong,
    /// Nested deeper than anything sensible.
    #[error("parentheses are nested more than {MAX_DEPTH} deep")]
    TooDeep,
    /// The text ends too early.
    #[error("a parenthesis is never closed")]
    Unclosed,
    /// The text begins in the middle.
    #[error("a parenthesis closes nothing")]
    Unopened,
    /// There is nothing to read.
    #[error("it is empty")]
    Empty,
    /// The first word is no keyword of the protocol.
    #[error("`{0}` is no message")]
    Unknown(String),
    /// A part of the message is not there.
    #[error("{message} has no {part}")]
    Missing {
        /// The keyword.
        message: &'static str,
        /// What is missing.
        part: &'static str,
    },
    /// A clock that is no number of seconds.
    #[error("`{0}` is no number of seconds")]
    Clock(String),
    /// A move that is not one ground term.
    #[error("{0}")]
    Move(String),
}

/// The parts of a text: words, and lists with their parentheses. Ends after the first mistake.
pub(crate) struct Elements<'a> {
    rest: &'a str,
}

pub(crate) fn elements(text: &str) -> Elements<'_> {
    Elements { rest: text }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Result<&'a str, Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        self.rest = without_space(self.rest);
        let length = match self.rest.bytes().next()? {
            b'(' => list_length(self.rest),
            b')' => Err(Malformed::Unopened),
            _ => Ok(word_length(self.rest)),
        };
        Some(match length {
            Ok(length) => {
                let (element, rest) = self.rest.split_at(length);
                self.rest = rest;
                Ok(element)
            }
            Err(malformed) => {
                self.rest = "";
                Err(malformed)
            }
        })
    }
}

impl<'a> Elements<'a> {
    /// The text that has not been read.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }
}

/// The text before its last word, and the word; `None` if it ends with something else.
pub(crate) fn split_last_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_end();
    let start = text.rfind(|c: char| c.is_whitespace() || "();".contains(c))?;
    let (before, word) = text.split_at(text.ceil_char_boundary(start + 1));
    (!word.is_empty()).then_some((before, word))
}

/// What stands between the parentheses of an element, `None` if it is a word.
pub(crate) fn inside(element: &str) -> Option<&str> {
    element.strip_prefix('(')?.strip_suffix(')')
}

/// Where the first list of a text ends, found while the text arrives: no byte is looked at twice.
///
/// A message that comes without its length, or with a wrong one, ends here.
#[derive(Clone, Default, Debug)]
pub struct ListEnd {
    n_seen: usize,
    depth: usize,
    is_comment: bool,
    /// Whether the text begins with a word instead of a list.
    begins_with_word: bool,
    end: Option<usize>,
}

impl ListEnd {
    /// Looks at what came since the last time; the text is all that is there.
    pub fn look(&mut self, text: &[u8]) {
        while self.end.is_none()
            && let Some(&byte) = text.get(self.n_seen)
        {
            self.n_seen += 1;
            match byte {
                b'\n' | b'\r' => self.is_comment = false,
                _ if self.is_comment => {}
                b';' => self.is_comment = true,
                b'(' => self.depth += 1,
                b')' => self.close(),
                _ if self.depth == 0 && !byte.is_ascii_whitespace() => self.begins_with_word = true,
                _ => {}
            }
        }
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 0 && !self.begins_with_word {
            self.end = Some(self.n_seen);
        }
    }

    /// One past the list that the text begins with, if it is closed already.
    pub fn end(&self) -> Option<usize> {
        self.end
    }

    /// Whether a list is not closed yet: there is more to come.
    pub fn is_open(&self) -> bool {
        self.depth > 0
    }
}

/// The text without the white space and the comments that it begins with.
pub(crate) fn without_space(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with(';') {
        rest = rest.find(['\n', '\r']).map_or("", |end| rest[end..].trim_start());
    }
    rest
}

pub(crate) fn word_length(text: &str) -> usize {
    text.find(|c: char| c.is_whitespace() || "();".contains(c)).unwrap_or(text.len())
}

/// How long the list is that a text begins with.
fn list_length(text: &str) -> Result<usize, Malformed> {
    let mut depth = 0;
    let mut is_comment = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'\n' | b'\r' => is_comment = false,
            _ if is_comment => {}
            b';' => is_comment = true,
            b'(' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(Malformed::TooDeep);
                }
            }
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Ok(at + 1);
                }
            }
            _ => {}
        }
    }
    Err(Malformed::Unclosed)
}

/// Parentheses and words of a text, one by one.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = without_space(rest);
        let length = match rest.bytes().next()? {
            b'(' | b')' => 1,
            _ => word_length(rest),
        };
        let (token, behind) = rest.split_at(length);
        rest = behind;
        Some(token)
    })
}

/// A text with its words replaced, and one space between any two of its parts: `( mark 2 2 )`.
pub(crate) fn respelled<'a>(text: &'a str, spell: impl Fn(&'a str) -> &'a str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for token in tokens(text) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(spell(token));
    }
    out
}

/// The text with one space between any two of its parts.
pub(crate) fn spaced(text: &str) -> String {
    respelled(text, |word| word)
}

/// Terms as they are sent: `( Mark 2 2 )`, with names in the spelling they have in the rules.
pub fn wire(canonical: &str, names: &Interner) -> String {
    let mut out = String::with_capacity(canonical.len() + 8);
    for token in tokens(canonical) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(names.get(token).map_or(token, |symbol| names.spelling(symbol)));
    }
    out
}

/// A list as referees write it: a space behind each element and none before the first, `(noop ( mark 2 2 ) )`.
pub(crate) fn list<'a>(elements: impl IntoIterator<Item = &'a str>) -> String {
    let mut out = String::from("(");
    for element in elements {
        out.push_str(&spaced(element));
        out.push(' ');
    }
    out.push(')');
    out
}

/// The beginning of a text, for people.
pub(crate) fn beginning(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<&str>, Malformed> {
        elements(text).collect()
    }

    #[test]
    fn words_and_lists_are_slices_of_the_text() {
        assert_eq!(all(" a(b  c)\td ; e (\n(f (g))").unwrap(), ["a", "(b  c)", "d", "(f (g))"]);
        assert_eq!(all("(a ; )\n)").unwrap(), ["(a ; )\n)"]);
        assert_eq!(all("é(ü)").unwrap(), ["é", "(ü)"]);
        assert_eq!(all("").unwrap(), [""; 0]);
    }

    #[test]
    fn mistakes_end_the_text() {
        assert_eq!(all("a (b"), Err(Malformed::Unclosed));
        assert_eq!(all("a ) b"), Err(Malformed::Unopened));
        assert_eq!(all(&"(".repeat(1 << 20)), Err(Malformed::TooDeep));
        let deepest = "(".repeat(MAX_DEPTH) + &")".repeat(MAX_DEPTH);
        assert_eq!(all(&deepest).unwrap().len(), 1);
    }

    #[test]
    fn a_message_is_whole_when_its_list_is_closed() {
        for (text, end, is_open) in [
            (&b"( INFO )"[..], Some(8), false),
            (b" ;(\r (play a (b)) (rest", Some(17), false),
            (b"(play a (b)", None, true),
            (b"(play ;)", None, true),
            (b"info", None, false),
            (b"stop m (a)", None, false),
            (b"stop m (a", None, true),
            (b"", None, false),
            (b")", Some(1), false),
            (b"\xff(", None, true),
        ] {
            let (mut whole, mut drips) = (ListEnd::default(), ListEnd::default());
            whole.look(text);
            (0..=text.len()).for_each(|n| drips.look(&text[..n]));
            assert_eq!((whole.end(), whole.is_open()), (end, is_open), "{text:?}");
            assert_eq!((drips.end(), drips.is_open()), (end, is_open), "{text:?}");
        }
    }

    #[test]
    fn a_long_message_is_looked_at_once() {
        let text = b"(".iter().chain(b"()".repeat(1 << 20).iter()).copied().collect::<Vec<_>>();
        let mut end = ListEnd::default();
        (0..text.len()).for_each(|n| end.look(&text[..n]));
        assert!(end.end().is_none() && end.is_open());
    }

    #[test]
    fn the_wire_has_the_spelling_of_the_rules() {
        let mut names = Interner::default();
        names.intern("Mark");
        assert_eq!(wire("(mark 2 (f x))", &names), "( Mark 2 ( f x ) )");
        assert_eq!(wire("noop", &names), "noop");
        assert_eq!(list(["noop", "(mark 2 2)"]), "(noop ( mark 2 2 ) )");
    }
}
