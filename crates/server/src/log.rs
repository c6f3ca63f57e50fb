//! The log of one match at the player: a line of JSON for each thing that happens.

use serde_json::{Map, Value, json};
use std::fs::{File, OpenOptions, create_dir_all};
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Instant;

/// Tells whoever looks at the terminal. That nobody can is no reason to stop.
pub(crate) fn say(what: &str) {
    let _ = writeln!(std::io::stderr(), "note: {what}");
}

/// The log of one match, or of none. A thread of its own writes it: a disk that is busy holds no answer up.
pub(crate) struct Log {
    entries: Option<Sender<Entry>>,
    begin: Instant,
}

/// What the thread is told.
enum Entry {
    Line(String),
    /// Everything so far is written when the other side of this channel is gone.
    Finish(#[expect(dead_code, reason = "dropping it is the signal")] Sender<()>),
}

impl Log {
    /// Opens `FOLDER/MATCH-ROLE.jsonl`, and adds to what is there. A log that cannot be written is told of and left out:
    /// the match goes on.
    pub(crate) fn open(folder: Option<&Path>, id: &str, role: &str) -> Log {
        let entries = folder.and_then(|folder| {
            let path = folder.join(format!("{}-{}.jsonl", file_name(id), file_name(role)));
            let opened = create_dir_all(folder)
                .and_then(|()| OpenOptions::new().create(true).append(true).open(&path))
                .and_then(start_writing);
            opened.map_err(|error| say(&format!("no log in {}: {error}", path.display()))).ok()
        });
        Log { entries, begin: Instant::now() }
    }

    pub(crate) fn write(&self, key: &str, value: impl Into<Value>) {
        self.write_all([(key, value.into())]);
    }

    pub(crate) fn write_all<'a>(&self, fields: impl IntoIterator<Item = (&'a str, Value)>) {
        let Some(entries) = &self.entries else { return };
        let mut line = Map::new();
        line.insert("after".to_owned(), json!(self.begin.elapsed().as_millis() as u64));
        line.extend(fields.into_iter().map(|(key, value)| (key.to_owned(), value)));
        // The thread has said why it ended.
        let _ = entries.send(Entry::Line(format!("{}\n", Value::Object(line))));
    }

    /// Waits until the entries so far are written.
    pub(crate) fn finish(&self) {
        let Some(entries) = &self.entries else { return };
        let (writing, written) = mpsc::channel();
        // Where the thread has ended, nothing is being written.
        let _ = entries.send(Entry::Finish(writing));
        // Nothing is ever sent.
        let _: Result<(), _> = written.recv();
    }
}

/// Begins the thread that writes.
fn start_writing(mut file: File) -> io::Result<Sender<Entry>> {
    let (entries, received) = mpsc::channel();
    thread::Builder::new().spawn(move || {
        for entry in received {
            // One write a line, so that a line is there or not.
            if let Entry::Line(line) = entry
                && let Err(error) = file.write_all(line.as_bytes())
            {
                say(&format!("the log cannot be written any more: {error}"));
                return;
            }
        }
    })?;
    Ok(entries)
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
            let log = Log::open(Some(&inner), "../m 1", "x");
            log.write("received", "( INFO )");
            log.finish();
        }
        let text = std::fs::read_to_string(inner.join("_m_1-x.jsonl")).expect("the log is there");
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!((lines.len(), &lines[1]["received"]), (2, &json!("( INFO )")));
        Log::open(None, "m", "x").write("received", "nothing is written");
        Log::open(Some(Path::new("/dev/null/none")), "m", "x").write("received", "nothing is written");
        if let Ok(full) = File::options().write(true).open("/dev/full") {
            let log = Log { entries: start_writing(full).ok(), begin: Instant::now() };
            log.write("received", "there is no room");
            log.finish();
            let entry = Entry::Line(String::new());
            assert!(log.entries.is_some_and(|entries| entries.send(entry).is_err()), "the thread ended");
        }
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
