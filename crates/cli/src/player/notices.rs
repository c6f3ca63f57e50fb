//! What a player says of its matches.

use senet_server::Notice;
use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;

/// How many lines may wait to be written.
const MOST_WAITING: usize = 64;

/// Writes lines from a thread of its own: a referee does not wait until somebody reads them. Lines that would have to wait
/// for too many others are left out.
pub(super) fn notices(mut out: impl Write + Send + 'static) -> Notice {
    let (lines, waiting) = sync_channel::<String>(MOST_WAITING);
    thread::spawn(move || {
        for line in waiting {
            // Whoever reads it may have gone.
            let _ = writeln!(out, "{line}");
        }
    });
    Arc::new(move |line| drop(lines.try_send(line.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::sync::mpsc::{Receiver, SyncSender};
    use std::time::Duration;

    /// A pipe that takes a piece whenever somebody reads one.
    struct Pipe(SyncSender<Vec<u8>>);

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// All that comes within a second of the piece before.
    fn read(pieces: &Receiver<Vec<u8>>) -> String {
        let next = || pieces.recv_timeout(Duration::from_secs(1)).ok();
        let bytes: Vec<u8> = std::iter::from_fn(next).flatten().collect();
        String::from_utf8(bytes).expect("a text")
    }

    #[test]
    fn nobody_waits_for_a_reader() {
        let (pipe, pieces) = sync_channel(0);
        let notice = notices(Pipe(pipe));
        (0..1_000).for_each(|at| notice(&format!("match {at}")));
        let said = read(&pieces);
        let lines: Vec<&str> = said.lines().collect();
        assert!((MOST_WAITING..1_000).contains(&lines.len()), "{} lines", lines.len());
        assert_eq!((lines[0], lines[MOST_WAITING - 1]), ("match 0", "match 63"));
        notice("afterwards");
        assert_eq!(read(&pieces), "afterwards\n");
        drop(pieces);
        (0..1_000).for_each(|_| notice("nobody is there"));
    }
}
