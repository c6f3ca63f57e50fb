//! The record of a match in its file, while the match goes on.

use crate::output_file::write_file;
use anyhow::{Context, Result};
use senet_protocol::Record;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Where the record is written, and how that went.
pub(super) struct RecordFile<'a> {
    path: Option<&'a Path>,
    pace: Pace,
    /// How the last save went.
    saved: Result<()>,
}

impl RecordFile<'_> {
    /// Nothing is written where there is no path.
    pub(super) fn new(path: Option<&Path>) -> RecordFile<'_> {
        RecordFile { path, pace: Pace::new(), saved: Ok(()) }
    }

    /// Writes the record: at each step, if that does not take too long, and the last one in any case. The match does not end
    /// where it fails, for the next try may not.
    pub(super) fn save(&mut self, record: &Record, is_last: bool) {
        let Some(path) = self.path else { return };
        if !is_last && !self.pace.has_time() {
            return;
        }
        let begin = Instant::now();
        let saved = write_record(path, record);
        self.pace.spent += begin.elapsed();
        if let (Err(error), Ok(()), false) = (&saved, &self.saved, is_last) {
            // Nobody may be listening any more.
            let _ = writeln!(io::stderr(), "note: {error:#}: it is tried again after the next move");
        }
        self.saved = saved;
    }

    /// Whether the file has the whole record.
    pub(super) fn finish(self) -> Result<()> {
        self.saved
    }
}

fn write_record(path: &Path, record: &Record) -> Result<()> {
    let write = |file: &mut std::fs::File| file.write_all((record.to_json() + "\n").as_bytes());
    write_file(path, write).with_context(|| format!("cannot write {}", path.display()))
}

/// How much of a match goes into writing. A record is written as a whole: those of long matches with fast players would take
/// most of the time. What is left out is lost where the program is killed, so that nothing is left out before it has to be.
struct Pace {
    begin: Instant,
    spent: Duration,
}

/// Writing may take this long in any match, and a tenth of what the match took.
const FREE: Duration = Duration::from_secs(1);

impl Pace {
    fn new() -> Pace {
        Pace { begin: Instant::now(), spent: Duration::ZERO }
    }

    fn has_time(&self) -> bool {
        self.spent <= FREE + self.begin.elapsed() / 10
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved(path: &Path) -> Record {
        Record::from_json(&std::fs::read(path).expect("a record")).expect("it is whole")
    }

    fn record(n_moves: usize) -> Record {
        Record {
            moves: vec![vec!["noop".to_owned()]; n_moves],
            states: vec!["( )".to_owned(); n_moves + 1],
            ..Record::default()
        }
    }

    #[test]
    fn each_step_is_saved_unless_writing_takes_too_long() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("match.json");
        let mut file = RecordFile::new(Some(&path));
        for n_moves in 0..3 {
            file.save(&record(n_moves), false);
            assert_eq!(saved(&path).moves.len(), n_moves);
        }
        file.pace.spent = Duration::from_secs(1_000);
        file.save(&record(3), false);
        assert_eq!(saved(&path).moves.len(), 2, "it is left out");
        file.save(&record(4), true);
        assert_eq!(saved(&path).moves.len(), 4, "the last one is not");
        file.finish().expect("it is saved");
    }

    #[test]
    fn a_save_that_fails_is_tried_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("later").join("match.json");
        let mut file = RecordFile::new(Some(&path));
        file.save(&record(0), false);
        assert!(file.saved.is_err());
        std::fs::create_dir(folder.path().join("later")).expect("a folder");
        file.save(&record(1), false);
        assert_eq!(saved(&path).moves.len(), 1);
        file.finish().expect("it is saved");
        let mut file = RecordFile::new(Some(folder.path()));
        file.save(&record(0), true);
        let error = file.finish().expect_err("it is a folder").to_string();
        assert_eq!(error, format!("cannot write {}", folder.path().display()));
    }
}
