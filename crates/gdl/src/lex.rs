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
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].find(|c| !is_space(c))?;
        let rest = &text[at..];
        let first = rest.chars().next()?;
        let until = |stop: &dyn Fn(char) -> bool| rest.find(stop).unwrap_or(rest.len());
        let (kind, length) = match first {
            '(' => (TokenKind::Open, 1),
            ')' => (TokenKind::Close, 1),
            ';' => (TokenKind::Comment, until(&|c| c == '\n' || c == '\r')),
            _ => (TokenKind::Word, until(&|c| is_space(c) || matches!(c, '(' | ')' | ';'))),
        };
        let span = Span::new(at, at + length);
        at += length;
        Some(Token { kind, span })
    })
}

/// White space of any script, and the byte order mark some editors leave.
fn is_space(c: char) -> bool {
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
    fn the_byte_order_mark_is_space() {
        assert_eq!(words("\u{feff}(p)"), ["(", "p", ")"]);
    }
}
