//! Rust text, laid out as rustfmt does.

/// What the `rustfmt.toml` of a generated package says.
const MOST_WIDTH: usize = 110;
/// rustfmt puts several elements on a line if none is wider.
const WIDTH_OF_SHORT_ELEMENTS: usize = 10;

/// Lines of Rust.
#[derive(Default, Debug)]
pub(crate) struct Code {
    text: String,
    indent: usize,
}

impl Code {
    /// A file that begins with this comment.
    pub(crate) fn file(about: &str) -> Code {
        let mut code = Code::default();
        code.line(&format!("//! {about}"));
        code.blank();
        code
    }

    pub(crate) fn line(&mut self, line: &str) {
        self.text.extend(std::iter::repeat_n(' ', 4 * self.indent));
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(crate) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// A line that opens a block.
    pub(crate) fn open(&mut self, line: &str) {
        self.line(line);
        self.indent += 1;
    }

    /// The line that closes a block. An empty block is one line.
    pub(crate) fn close(&mut self, line: &str) {
        self.indent -= 1;
        if self.text.ends_with("{\n") {
            self.text.pop();
            self.text.push_str(line);
            self.text.push('\n');
        } else {
            self.line(line);
        }
    }

    /// A condition with one line to do.
    pub(crate) fn when(&mut self, condition: &str, then: &str) {
        self.open(&format!("if {condition} {{"));
        self.line(then);
        self.close("}");
    }

    /// Whether a line is not too wide here.
    pub(crate) fn fits(&self, line: &str) -> bool {
        4 * self.indent + line.chars().count() <= MOST_WIDTH
    }

    /// `before[a, b, c]after`, on several lines if need be.
    pub(crate) fn array(&mut self, before: &str, elements: &[String], after: &str) {
        let line = format!("{before}[{}]{after}", elements.join(", "));
        if self.fits(&line) {
            return self.line(&line);
        }
        if let Some(name) = before.strip_suffix(" = ") {
            let array = format!("[{}]{after}", elements.join(", "));
            if self.fits(&format!("    {array}")) {
                self.line(&format!("{name} ="));
                return self.line(&format!("    {array}"));
            }
        }
        self.open(&format!("{before}["));
        let is_short =
            |element: &String| element.chars().count() <= WIDTH_OF_SHORT_ELEMENTS && !element.contains("::");
        if elements.iter().all(is_short) {
            self.fill(elements);
        } else {
            elements.iter().for_each(|element| self.line(&format!("{element},")));
        }
        self.close(&format!("]{after}"));
    }

    /// As many elements on a line as there is room for.
    pub(crate) fn fill(&mut self, elements: &[String]) {
        let mut line = String::new();
        for element in elements {
            let longer = if line.is_empty() { format!("{element},") } else { format!("{line} {element},") };
            if !line.is_empty() && !self.fits(&longer) {
                self.line(&line);
                line = format!("{element},");
            } else {
                line = longer;
            }
        }
        if !line.is_empty() {
            self.line(&line);
        }
    }

    /// `before { a, b, c }`, on several lines if need be.
    pub(crate) fn fields(&mut self, before: &str, fields: &[String]) {
        if fields.is_empty() {
            return self.line(&format!("{before} {{}}"));
        }
        let line = format!("{before} {{ {} }}", fields.join(", "));
        if self.fits(&line) {
            return self.line(&line);
        }
        self.open(&format!("{before} {{"));
        fields.iter().for_each(|field| self.line(&format!("{field},")));
        self.close("}");
    }

    /// Adds lines written elsewhere, or asks rustfmt to leave alone what it would break up.
    pub(crate) fn item(&mut self, item: Code) {
        if item.text.lines().any(|line| line.chars().count() > MOST_WIDTH) {
            self.line("#[rustfmt::skip]");
        }
        self.text.push_str(&item.text);
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_arrays_are_filled() {
        let mut code = Code::default();
        let short: Vec<String> = (1000..1030).map(|n| n.to_string()).collect();
        code.array("let row = ", &short[..3], ";");
        code.array("let row = ", &short, ";");
        let text = code.finish();
        assert!(text.starts_with("let row = [1000, 1001, 1002];\nlet row = [\n    1000, 1001,"));
        assert!(text.lines().all(|line| line.len() <= MOST_WIDTH));
        assert_eq!(text.lines().count(), 5);
    }
}
