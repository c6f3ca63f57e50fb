//! The record of a duel: a line for the duel, then a line for each match, each written in one go.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;

/// What has to be the same when a duel goes on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Duel {
    pub(super) players: Vec<String>,
    pub(super) seconds: f64,
    pub(super) start_clock: f64,
    pub(super) grace: f64,
    pub(super) seed: u64,
    pub(super) most_moves: usize,
}

/// One match of a duel.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Played {
    pub(super) game: String,
    /// The number of its rules, other for other rules.
    pub(super) rules: u64,
    /// Which of the matches of this game.
    pub(super) at: u64,
    /// Which player had each role; the referee where it is neither.
    pub(super) seats: Vec<Option<usize>>,
    /// By role; none if the rules did not let the match come to an end.
    pub(super) goals: Vec<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) game_error: Option<String>,
    pub(super) moves: Vec<Vec<String>>,
    /// By player: how often the referee moved in its place.
    pub(super) errors: [u64; 2],
    /// How long the match took.
    pub(super) seconds: f64,
}

/// What was played, and where the next matches are written.
#[derive(Default)]
pub(super) struct Journal {
    file: Option<File>,
    pub(super) played: Vec<Played>,
}

impl Journal {
    /// Reads what was played before. A last line that is torn, because the program was killed as it wrote, is dropped.
    pub(super) fn open(path: &Path, duel: &Duel) -> Result<Journal> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        ensure!(!is_taken(file.try_lock()), "another duel is writing it");
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let (lines, torn) = bytes.split_at(whole);
        let mut lines = lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let first = lines.next();
        match first {
            Some(first) => {
                let before: Duel = serde_json::from_slice(first).context("its first line is of no duel")?;
                ensure!(before == *duel, "it is of another duel: {}", String::from_utf8_lossy(first));
            }
            None => ensure!(line_of(duel)?.as_bytes().starts_with(torn), "its first line is of no duel"),
        }
        let mut played: Vec<Played> = Vec::new();
        for (at, line) in lines.enumerate() {
            let line =
                serde_json::from_slice(line).with_context(|| format!("line {} is no match", at + 2))?;
            played.push(line);
        }
        // The file is one of this duel: only now it is changed.
        if !torn.is_empty() {
            file.set_len(whole as u64)?;
        }
        if first.is_none() {
            write_line(&mut file, duel)?;
        }
        Ok(Journal { file: Some(file), played })
    }

    /// Matches of a game under other rules are none of this duel.
    pub(super) fn check_rules(&self, game: &str, rules: u64) -> Result<()> {
        let other = self.played.iter().find(|played| played.game == game && played.rules != rules);
        ensure!(other.is_none(), "the rules of `{game}` have changed since: take another record file");
        Ok(())
    }

    /// Whether a match was played.
    pub(super) fn has(&self, game: &str, at: u64) -> bool {
        self.played.iter().any(|played| played.game == game && played.at == at)
    }

    /// Adds a match. It was played, even if it cannot be written.
    pub(super) fn add(&mut self, played: Played) -> Result<()> {
        let written = self.file.as_mut().map_or(Ok(()), |file| write_line(file, &played));
        self.played.push(played);
        written
    }
}

fn line_of(line: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string(line)? + "\n")
}

/// One write a line: what is killed in the middle leaves a line without an end.
fn write_line(file: &mut File, line: &impl Serialize) -> Result<()> {
    let line = line_of(line)?;
    write_whole(file, |file| file.write_all(line.as_bytes())).context("cannot write the record")
}

/// Leaves the file as it was where writing fails half-way: another job may add its line behind.
fn write_whole(file: &mut File, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let length = file.metadata()?.len();
    write(file).inspect_err(|_| drop(file.set_len(length)))
}

/// Whether somebody else has a lock. Some file systems have none: there it is up to people.
fn is_taken(lock: Result<(), TryLockError>) -> bool {
    matches!(lock, Err(TryLockError::WouldBlock))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duel() -> Duel {
        let players = vec!["random".to_owned(), "legal".to_owned()];
        Duel { players, seconds: 0.2, start_clock: 1.0, grace: 1.0, seed: 0, most_moves: 9 }
    }

    fn played(at: u64) -> Played {
        Played {
            game: "g".to_owned(),
            rules: 7,
            at,
            seats: vec![Some(0), None, Some(1)],
            goals: vec![100, 50, 0],
            game_error: None,
            moves: vec![vec!["noop".to_owned(); 3]],
            errors: [0, 1],
            seconds: 0.5,
        }
    }

    #[test]
    fn a_torn_line_is_dropped_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("duel.jsonl");
        let mut journal = Journal::open(&path, &duel()).expect("a new file");
        (0..3).for_each(|at| journal.add(played(at)).expect("it is written"));
        assert!(Journal::open(&path, &duel()).is_err(), "it is being written");
        drop(journal);
        let whole = std::fs::read(&path).expect("the file is there");
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).expect("it is written");
            let mut journal = Journal::open(&path, &duel()).expect("a file that was cut");
            let n_whole = journal.played.len() as u64;
            (n_whole..3).for_each(|at| {
                assert!(!journal.has("g", at));
                journal.add(played(at)).expect("it is written");
            });
            drop(journal);
            assert_eq!(std::fs::read(&path).expect("the file is there"), whole, "cut at {cut}");
        }
    }

    #[test]
    fn a_line_that_cannot_be_written_leaves_no_half() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("duel.jsonl");
        let mut journal = Journal::open(&path, &duel()).expect("a new file");
        journal.add(played(0)).expect("it is written");
        let file = journal.file.as_mut().expect("a file");
        let failed = write_whole(file, |file| {
            file.write_all(br#"{"game":"g","ru"#)?;
            Err(io::Error::other("the disk is full"))
        });
        assert_eq!(failed.expect_err("it is full").to_string(), "the disk is full");
        journal.add(played(1)).expect("it is written");
        drop(journal);
        let journal = Journal::open(&path, &duel()).expect("each line is whole");
        assert_eq!(journal.played, [played(0), played(1)]);
    }

    #[test]
    fn a_match_that_cannot_be_written_was_played() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("duel.jsonl");
        drop(Journal::open(&path, &duel()).expect("a new file"));
        let file = File::open(&path).expect("a file to read");
        let mut journal = Journal { file: Some(file), played: Vec::new() };
        assert!(journal.add(played(0)).is_err());
        assert_eq!(journal.played, [played(0)]);
    }

    #[test]
    fn without_locks_a_duel_goes_on() {
        assert!(is_taken(Err(TryLockError::WouldBlock)) && !is_taken(Ok(())));
        assert!(!is_taken(Err(TryLockError::Error(io::ErrorKind::Unsupported.into()))));
    }

    #[test]
    fn another_duel_and_other_files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("duel.jsonl");
        drop(Journal::open(&path, &duel()).expect("a new file"));
        let other = Duel { seed: 1, ..duel() };
        let error = Journal::open(&path, &other).map(drop).expect_err("another seed").to_string();
        assert!(error.starts_with("it is of another duel: {\"players\":[\"random\""), "{error}");
        for text in ["nonsense\n", "nonsense", "nonsense\nmore", "{}", "\nx"] {
            std::fs::write(&path, text).expect("it is written");
            let error = Journal::open(&path, &duel()).map(drop).expect_err(text).to_string();
            assert_eq!(error, "its first line is of no duel");
            assert_eq!(std::fs::read_to_string(&path).expect("the file is there"), text);
        }
    }

    #[test]
    fn matches_under_other_rules_are_refused() {
        let journal = Journal { file: None, played: vec![played(0)] };
        assert!(journal.check_rules("g", 7).is_ok() && journal.check_rules("h", 8).is_ok());
        let error = journal.check_rules("g", 8).expect_err("other rules").to_string();
        assert_eq!(error, "the rules of `g` have changed since: take another record file");
    }
}
