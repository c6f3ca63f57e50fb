//! Standard output of a match. Whoever reads it may go: the match goes on.

use super::table;
use anyhow::Result;
use senet_protocol::Record;
use std::io::{self, Write};

/// What is printed of a match, until it cannot be printed any more.
pub(super) struct Screen {
    /// The record and nothing else.
    is_json: bool,
    /// How many moves were played when it was printed last.
    n_shown: Option<usize>,
    printed: io::Result<()>,
}

impl Screen {
    pub(super) fn new(is_json: bool) -> Screen {
        Screen { is_json, n_shown: None, printed: Ok(()) }
    }

    /// Prints who plays, or the last step, once.
    pub(super) fn step(&mut self, record: &Record) {
        let n_moves = Some(record.moves.len());
        if !self.is_json && self.n_shown != n_moves {
            self.n_shown = n_moves;
            self.print(|out| table::write_step(out, record));
        }
    }

    /// Prints how it ended.
    pub(super) fn end(&mut self, record: &Record) {
        let is_json = self.is_json;
        self.print(|out| match is_json {
            true => writeln!(out, "{}", record.to_json()),
            false => table::write_end(out, record),
        });
    }

    /// What kept it from printing. A reader that has seen enough does not.
    pub(super) fn finish(self) -> Result<()> {
        match self.printed {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(()),
        }
    }

    fn print(&mut self, write: impl FnOnce(&mut io::StdoutLock) -> io::Result<()>) {
        if self.printed.is_ok() {
            self.printed = write(&mut io::stdout().lock());
        }
    }
}
