//! What a search says of its move, in one line beside the answer.

use crate::Thoughts;
use std::fmt::Write;

/// The longest line that is written or read.
const LONGEST: usize = 8 << 10;

impl Thoughts {
    /// One line of JSON in ASCII. Of a long line of expected moves it has the beginning.
    pub fn to_line(&self) -> Option<String> {
        let mut thoughts = self.clone();
        loop {
            let line = in_ascii(&serde_json::to_string(&thoughts).ok()?);
            if line.len() <= LONGEST {
                return Some(line);
            }
            if thoughts.line.is_empty() {
                return None;
            }
            thoughts.line.truncate(thoughts.line.len() / 2);
        }
    }

    /// Reads such a line. It comes from strangers: what is not as it should be is nothing, and nothing is kept that nobody
    /// knows.
    pub fn from_line(line: &[u8]) -> Option<Thoughts> {
        if line.len() > LONGEST {
            return None;
        }
        let mut thoughts: Thoughts = serde_json::from_slice(line).ok()?;
        thoughts.others.clear();
        let is_name = |name: &String| name.chars().all(|c| c.is_ascii_graphic());
        thoughts.engine = thoughts.engine.filter(is_name);
        for text in thoughts.line.iter_mut().flatten() {
            *text = senet_gdl::canonical(text).ok()?;
        }
        Some(thoughts)
    }
}

/// The same JSON with everything escaped that is no plain ASCII: such characters are within texts only.
fn in_ascii(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_ascii() && !c.is_ascii_control() {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}").expect("texts can be written to");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thoughts() -> Thoughts {
        let line = vec![vec!["(mark 2 2)".to_owned(), "noop".to_owned()]];
        Thoughts {
            engine: Some("lanes".to_owned()),
            playouts: 7,
            value: Some(50.5),
            line,
            ..Thoughts::default()
        }
    }

    #[test]
    fn a_line_and_back() {
        let mut thoughts = thoughts();
        thoughts.line.push(vec!["(zug größe \u{1f600})".to_owned()]);
        let line = thoughts.to_line().expect("it is short");
        assert!(line.bytes().all(|byte| (b' '..0x7f).contains(&byte)), "{line}");
        assert_eq!(Thoughts::from_line(line.as_bytes()), Some(thoughts));
    }

    #[test]
    fn long_lines_are_cut() {
        let mut thoughts = thoughts();
        thoughts.line = vec![thoughts.line[0].clone(); 10_000];
        let line = thoughts.to_line().expect("its beginning is short");
        let read = Thoughts::from_line(line.as_bytes()).expect("it is whole");
        assert!(line.len() <= LONGEST && read.line.len() > 100, "{}", read.line.len());
        thoughts.line = vec![vec!["x".repeat(LONGEST)]];
        assert_eq!(thoughts.to_line().map(|line| line.contains("xx")), Some(false));
        thoughts.engine = Some("x".repeat(LONGEST));
        assert_eq!(thoughts.to_line(), None);
    }

    #[test]
    fn what_makes_no_sense_is_nothing() {
        let read = |line: &str| Thoughts::from_line(line.as_bytes());
        assert_eq!(read(""), None);
        assert_eq!(read("playouts"), None);
        assert_eq!(read(r#"{"playouts":-1}"#), None);
        assert_eq!(read(r#"{"line":[["(("]]}"#), None);
        assert_eq!(read(&format!(r#"{{"engine":"{}"}}"#, "x".repeat(LONGEST))), None);
        assert_eq!(Thoughts::from_line(b"\xff"), None);
        let odd = read(r#"{"playouts":3,"engine":"\u001b[1m","deep":[[[[]]]]}"#).expect("it has playouts");
        assert_eq!(odd, Thoughts { playouts: 3, ..Thoughts::default() });
    }
}
