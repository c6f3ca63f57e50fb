//! Elements of SVG as text.

use std::fmt::{Display, Write};

/// Names of the rulesheet are cut here.
const LONGEST_NAME: usize = 40;

/// Text of an SVG in the making.
#[derive(Clone, Debug, Default)]
pub(super) struct Canvas {
    text: String,
}

impl Canvas {
    /// Begins a picture of this size.
    pub(super) fn new(width: usize, height: usize) -> Self {
        let mut canvas = Self::default();
        let size = format!("width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\"");
        canvas.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" {size} font-family=\"sans-serif\">"
        ));
        canvas.rect((0, 0), (width, height), "fill=\"#ffffff\"");
        canvas
    }

    /// Ends the picture.
    pub(super) fn finish(mut self) -> String {
        self.close("svg");
        self.text
    }

    /// Opens an element.
    pub(super) fn open(&mut self, element: &str, attributes: impl Display) {
        self.line(format_args!("<{element} {attributes}>"));
    }

    /// Closes an element.
    pub(super) fn close(&mut self, element: &str) {
        self.line(format_args!("</{element}>"));
    }

    pub(super) fn rect(&mut self, at: (usize, usize), size: (usize, usize), attributes: &str) {
        let ((x, y), (width, height)) = (at, size);
        self.line(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {attributes}/>"
        ));
    }

    pub(super) fn circle(&mut self, (x, y): (usize, usize), radius: usize, attributes: &str) {
        self.line(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {attributes}/>"));
    }

    pub(super) fn segment(&mut self, from: (usize, usize), to: (usize, usize), attributes: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.line(format_args!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {attributes}/>"));
    }

    /// A line of text; names that are too long are cut.
    pub(super) fn words(&mut self, (x, y): (usize, usize), words: &str, attributes: &str) {
        let words = escaped(&cut(words));
        self.line(format_args!("<text x=\"{x}\" y=\"{y}\" {attributes}>{words}</text>"));
    }

    /// A line of text that is written out.
    pub(super) fn prose(&mut self, (x, y): (usize, usize), prose: &str) {
        let prose = escaped(prose);
        self.line(format_args!("<text x=\"{x}\" y=\"{y}\" font-size=\"13\" fill=\"#444444\">{prose}</text>"));
    }

    /// The description of the surrounding element for pointers and screen readers.
    pub(super) fn title(&mut self, words: &str) {
        let words = escaped(words);
        self.line(format_args!("<title>{words}</title>"));
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.text, "{line}");
    }
}

fn cut(words: &str) -> String {
    match words.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words.to_owned(),
    }
}

/// Text as it stands between tags and in attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Control characters have no place in XML.
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_become_elements() {
        assert_eq!(escaped("<b>&\"'\u{1}"), "&lt;b&gt;&amp;&quot;&#39;\u{fffd}");
        assert_eq!(cut(&"é".repeat(50)).chars().count(), 41);
    }
}
