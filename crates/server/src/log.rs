//! The log of one match at the player: a line of JSON for each thing that happens.

use serde_json::{Map, Value, json};
use std::fs::{File, OpenOptions, create_dir_all};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Tells whoever looks at the terminal. That nobody can is no reason to stop.
pub(crate) fn say(what: &str) {
    let _ = writeln!(std::io::stderr(), "note: {what}");
}

/// The log of one match, or of none.
pub(crate) struct Log {
    file: Option<File>,
    begin: Instant,
}

impl Log {
    /// Opens `FOLDER/MATCH-ROLE.jsonl`, and adds to what is there. A log that cannot be written is told of and left out:
    /// the match goes on.
    pub(crate) fn open(folder: Option<&Path>, id: &str, role: &str) -> Log {
        let file = folder.and_then(|folder| {
            let path = folder.join(format!("{}-{}.jsonl", file_name(id), file_name(role)));
            let opened = create_dir_all(folder)
                .and_then(|()| OpenOptions::new().create(true).append(true).open(&path));
            opened.map_err(|error| say(&format!("no log in {}: {error}", path.display()))).ok()
        });
        Log { file, begin: Instant::now() }
    }

    pub(crate) fn write(&mut self, key: &str, value: impl Into<Value>) {
        self.write_all([(key, value.into())]);
    }

    pub(crate) fn write_all<'a>(&mut self, fields: impl IntoIterator<Item = (&'a str, Value)>) {
        let Some(file) = &mut self.file else { return };
        let mut line = Map::new();
        line.insert("after".to_owned(), json!(self.begin.elapsed().as_millis() as u64));
        line.extend(fields.into_iter().map(|(key, value)| (key.to_owned(), value)));
        // One write a line, so that a line is there or not.
        if let Err(error) = file.write_all(format!("{}\n", Value::Object(line)).as_bytes()) {
            self.file = None;
            say(&format!("the log cannot be written any more: {error}"));
        }
    }
}

/// A name that is one on every system, and leads nowhere else.
fn file_name(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let name: String = text.chars().take(80).map(|c| if is_plain(c) { c } else { '_' }).collect();
    name.trim_start_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn a_line_for_each_thing() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("logs");
        for _ in 0..2 {
            let mut log = Log::open(Some(&inner), "../m 1", "x");
            log.write("received", "( INFO )");
        }
        let text = std::fs::read_to_string(inner.join("_m_1-x.jsonl")).expect("the log is there");
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!((lines.len(), &lines[1]["received"]), (2, &json!("( INFO )")));
        Log::open(None, "m", "x").write("received", "nothing is written");
        Log::open(Some(Path::new("/dev/null/none")), "m", "x").write("received", "nothing is written");
        let full = File::options().write(true).open("/dev/full").ok();
        let mut log = Log { file: full, begin: Instant::now() };
        log.write("received", "there is no room");
        assert!(log.file.is_none());
    }

    #[test]
    fn nobody_at_the_terminal_is_no_reason_to_stop() {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        // The same program again, with nobody behind its standard error.
        let status = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "log::tests::a_line_for_each_thing", "--nocapture"])
            .stdout(Stdio::null())
            .stderr(writer)
            .status();
        assert!(status.expect("it runs").success());
    }
}
