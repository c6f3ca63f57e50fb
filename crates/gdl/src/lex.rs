//! Text to tokens.

use crate::Span;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    Open,
    Close,
    /// A name, a number or a variable: any run of characters but space, parentheses and `;`.
    Word,
    /// From `;` to the end of the line, without the line ending.
    Comment,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// The tokens of `text`, white space left out.
pub(crate) fn tokens(text: &str) -> impl Iterator<Item = Token> {
    let bytes = text.as_bytes();
    assert!(u32::try_from(bytes.len()).is_ok(), "sources are shorter than 4 GiB");
    let mut at = 0;
    std::iter::from_fn(move || {
        at = end_of_run(text, at, Class::Space);
        let start = at;
        let kind = match *bytes.get(at)? {
            b'(' => TokenKind::Open,
            b')' => TokenKind::Close,
            b';' => TokenKind::Comment,
            _ => TokenKind::Word,
        };
        at = match kind {
            TokenKind::Open | TokenKind::Close => at + 1,
            TokenKind::Word => end_of_run(text, at, Class::Word),
            TokenKind::Comment => {
                let length = bytes[at..].iter().position(|&byte| byte == b'\n' || byte == b'\r');
                length.map_or(bytes.len(), |length| at + length)
            }
        };
        Some(Token { kind, span: Span { start: start as u32, end: at as u32 } })
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Word,
    /// Parentheses and `;`.
    Mark,
    /// Part of a character that is not ASCII.
    Wide,
}

/// What each byte is: rulesheets are nearly all ASCII.
const CLASSES: [Class; 256] = {
    let mut classes = [Class::Word; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t'..=b'\r' => Class::Space,
            b'(' | b')' | b';' => Class::Mark,
            0x80.. => Class::Wide,
            _ => Class::Word,
        };
        byte += 1;
    }
    classes
};

/// Where the characters of one class that begin at a place end.
fn end_of_run(text: &str, mut at: usize, wanted: Class) -> usize {
    while let Some(&byte) = text.as_bytes().get(at) {
        let class = CLASSES[byte as usize];
        if class == wanted {
            at += 1;
        } else if class == Class::Wide {
            let character = text[at..].chars().next().expect("a character begins here");
            if is_wide_space(character) != (wanted == Class::Space) {
                break;
            }
            at += character.len_utf8();
        } else {
            break;
        }
    }
    at
}

/// White space of any script, and the byte order mark some editors leave.
fn is_wide_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokens(text).map(|token| &text[token.span.range()]).collect()
    }

    #[test]
    fn a_comment_ends_with_the_line_however_lines_end() {
        for ending in ["\n", "\r", "\r\n"] {
            assert_eq!(words(&format!("a;(b{ending}c")), ["a", ";(b", "c"]);
        }
    }

    #[test]
    fn a_comment_may_begin_inside_a_word() {
        assert_eq!(words("(mark;x\n)"), ["(", "mark", ";x", ")"]);
    }

    #[test]
    fn names_take_any_other_character() {
        assert_eq!(words("1+ ++ - ' # \" é\t?x"), ["1+", "++", "-", "'", "#", "\"", "é", "?x"]);
    }

    #[test]
    fn space_of_other_scripts_ends_words() {
        assert_eq!(words("é\u{a0}b\u{3000}(ü;é\u{2028}x"), ["é", "b", "(", "ü", ";é\u{2028}x"]);
    }

    #[test]
    fn the_byte_order_mark_is_space() {
        assert_eq!(words("\u{feff}(p)"), ["(", "p", ")"]);
    }
}
