//! Places in the text.

/// A half-open range of bytes of the source text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` to `end`.
    pub fn new(start: usize, end: usize) -> Self {
        let narrow = |at| u32::try_from(at).expect("sources are shorter than 4 GiB");
        Self { start: narrow(start), end: narrow(end) }
    }

    /// The same place as a range of `usize`.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Finds the line and column of a byte. Lines end with LF, CR or CRLF.
///
/// ```
/// let text = "(role x)\n(role o)";
/// assert_eq!(senet_gdl::LineIndex::new(text).line_column(text, 15), (2, 7));
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex {
    line_starts: Vec<u32>,
}

impl LineIndex {
    /// Notes where the lines of `text` begin.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut line_starts = vec![0];
        for (at, &byte) in bytes.iter().enumerate() {
            let ends_line = byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
            if ends_line {
                line_starts.push(Span::new(at + 1, at + 1).start);
            }
        }
        Self { line_starts }
    }

    /// Line and column of a byte, both counted from one, columns in characters of `text`.
    pub fn line_column(&self, text: &str, byte: u32) -> (usize, usize) {
        let line = self.line_starts.partition_point(|&start| start <= byte);
        let start = self.line_starts[line - 1] as usize;
        let column = text.get(start..byte as usize).map_or(0, |before| before.chars().count());
        (line, column + 1)
    }
}

/// Finds the lines and columns of bytes in ascending order. It reads each character once, however long the lines are.
#[derive(Clone, Debug)]
pub struct Places<'t> {
    text: &'t str,
    lines: LineIndex,
    /// The last place: its byte, line and column.
    last: (u32, usize, usize),
}

impl<'t> Places<'t> {
    /// Begins at the start of `text`.
    pub fn new(text: &'t str) -> Self {
        Self { text, lines: LineIndex::new(text), last: (0, 1, 1) }
    }

    /// Line and column of a byte, as [`LineIndex::line_column`] has them.
    pub fn line_column(&mut self, byte: u32) -> (usize, usize) {
        let (last_byte, last_line, last_column) = self.last;
        let line = self.lines.line_starts.partition_point(|&start| start <= byte);
        let between = self.text.get(last_byte as usize..byte as usize);
        let column = match between {
            Some(between) if line == last_line => last_column + between.chars().count(),
            _ => self.lines.line_column(self.text, byte).1,
        };
        self.last = (byte, line, column);
        (line, column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_any_of_the_three_endings() {
        let text = "a\nb\r\nc\rd";
        let lines = LineIndex::new(text);
        let places: Vec<_> = [0, 2, 5, 7].map(|byte| lines.line_column(text, byte)).into();
        assert_eq!(places, [(1, 1), (2, 1), (3, 1), (4, 1)]);
    }

    #[test]
    fn places_in_ascending_order_agree_with_the_index() {
        let text = "é a\r\nbé\r\n\nc é dé";
        let (lines, mut places) = (LineIndex::new(text), Places::new(text));
        for byte in 0..=text.len() as u32 {
            if text.is_char_boundary(byte as usize) {
                assert_eq!(places.line_column(byte), lines.line_column(text, byte), "{byte}");
                assert_eq!(places.line_column(byte), lines.line_column(text, byte), "{byte} again");
            }
        }
    }

    #[test]
    fn columns_count_characters() {
        let text = "; é x";
        assert_eq!(LineIndex::new(text).line_column(text, 5), (1, 5));
    }
}
