//! The bytes of one HTTP message, as they arrive: never more than a limit, never later than a deadline.

use std::io::{self, ErrorKind, Read};
use thiserror::Error;

/// Why no message was read.
#[derive(Debug, Error)]
pub(crate) enum ReadError {
    #[error("it is longer than {0} bytes")]
    TooLong(usize),
    #[error("it did not come in time")]
    Late,
    #[error("it is not HTTP: {0}")]
    NotHttp(&'static str),
    #[error("it is cut off")]
    Cut,
    #[error("{0}")]
    Io(io::Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        match error.kind() {
            ErrorKind::TimedOut | ErrorKind::WouldBlock => ReadError::Late,
            _ => ReadError::Io(error),
        }
    }
}

/// How the end of a body is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Framing {
    Length(usize),
    Chunked,
    /// The end of the stream, or whatever else the reader knows.
    Stream,
}

/// What has arrived of a message and has not been read.
pub(crate) struct Incoming<R> {
    source: R,
    bytes: Vec<u8>,
    n_read: usize,
    most: usize,
}

impl<R: Read> Incoming<R> {
    pub(crate) fn new(source: R, most: usize) -> Incoming<R> {
        Incoming { source, bytes: Vec::new(), n_read: 0, most }
    }

    /// What is there.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn source(&mut self) -> &mut R {
        &mut self.source
    }

    /// Whether so many bytes may come at all.
    pub(crate) fn allow(&self, length: usize) -> Result<(), ReadError> {
        if length > self.most { Err(ReadError::TooLong(self.most)) } else { Ok(()) }
    }

    /// Waits for more; no at the end of the stream.
    pub(crate) fn more(&mut self) -> Result<bool, ReadError> {
        let mut piece = [0; 16 << 10];
        loop {
            match self.source.read(&mut piece) {
                Ok(0) => return Ok(false),
                Ok(n) => {
                    self.n_read += n;
                    if self.n_read > self.most {
                        return Err(ReadError::TooLong(self.most));
                    }
                    self.bytes.extend_from_slice(&piece[..n]);
                    return Ok(true);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Takes the lines before the first empty one. `None` if the stream ends before.
    pub(crate) fn head(&mut self) -> Result<Option<Vec<u8>>, ReadError> {
        let mut seen = 0;
        loop {
            if let Some(end) = end_of_head(&self.bytes, seen) {
                let rest = self.bytes.split_off(end);
                return Ok(Some(std::mem::replace(&mut self.bytes, rest)));
            }
            seen = self.bytes.len();
            if !self.more()? {
                return Ok(None);
            }
        }
    }

    /// Takes a body of a known length. One that ends early is given as far as it came, and was not whole.
    pub(crate) fn exactly(&mut self, length: usize) -> Result<(Vec<u8>, bool), ReadError> {
        self.allow(length)?;
        while self.bytes.len() < length {
            match self.more() {
                Ok(true) => {}
                Ok(false) | Err(ReadError::Late) => return Ok((std::mem::take(&mut self.bytes), false)),
                Err(error) => return Err(error),
            }
        }
        self.bytes.truncate(length);
        Ok((std::mem::take(&mut self.bytes), true))
    }

    /// Takes a body in chunks.
    pub(crate) fn chunked(&mut self) -> Result<Vec<u8>, ReadError> {
        let mut body = Vec::new();
        loop {
            let (start, size) = match httparse::parse_chunk_size(&self.bytes) {
                Ok(httparse::Status::Complete((start, size))) => (start, size),
                Ok(httparse::Status::Partial) => {
                    self.needs_more()?;
                    continue;
                }
                Err(_) => return Err(ReadError::NotHttp("a chunk has no length")),
            };
            if size == 0 {
                return Ok(body);
            }
            let size = usize::try_from(size).unwrap_or(usize::MAX);
            let end = start.checked_add(size).filter(|&end| end <= self.most);
            let end = end.ok_or(ReadError::TooLong(self.most))?;
            // The line ends behind a chunk.
            while self.bytes.len() < end + 2 {
                self.needs_more()?;
            }
            body.extend_from_slice(&self.bytes[start..end]);
            let n_line_end = if self.bytes[end] == b'\r' { 2 } else { 1 };
            self.bytes.drain(..end + n_line_end);
        }
    }

    fn needs_more(&mut self) -> Result<(), ReadError> {
        if self.more()? { Ok(()) } else { Err(ReadError::Cut) }
    }

    /// Takes what comes until the stream ends.
    pub(crate) fn everything(&mut self) -> Result<Vec<u8>, ReadError> {
        while self.more()? {}
        Ok(std::mem::take(&mut self.bytes))
    }
}

/// One past the first empty line, if its end lies behind what was seen before.
fn end_of_head(bytes: &[u8], seen: usize) -> Option<usize> {
    let from = seen.saturating_sub(3);
    let ends = bytes.iter().enumerate().skip(from).filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at);
    for at in ends {
        match &bytes[at + 1..] {
            [b'\n', ..] => return Some(at + 2),
            [b'\r', b'\n', ..] => return Some(at + 3),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One byte at a time.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let n = self.0.len().min(1);
            buffer[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    #[test]
    fn heads_end_with_an_empty_line() {
        for text in ["a\r\nb\r\n\r\nbody", "a\nb\n\nbody", "a\r\nb\n\r\nbody"] {
            let mut whole = Incoming::new(text.as_bytes(), 100);
            let mut drips = Incoming::new(Drip(text.as_bytes()), 100);
            let head = whole.head().expect("no error").expect("a head");
            assert_eq!(drips.head().expect("no error").expect("a head"), head);
            assert_eq!(whole.everything().expect("no error"), b"body");
            assert_eq!(drips.everything().expect("no error"), b"body");
        }
        assert!(Incoming::new(&b"a\r\n"[..], 100).head().expect("no error").is_none());
    }

    #[test]
    fn bodies_by_length_and_in_chunks() {
        let mut body = Incoming::new(Drip(b"abcdef"), 100);
        assert_eq!(body.exactly(4).expect("no error"), (b"abcd".to_vec(), true));
        let mut body = Incoming::new(Drip(b"abc"), 100);
        assert_eq!(body.exactly(4).expect("no error"), (b"abc".to_vec(), false));
        let mut body = Incoming::new(Drip(b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"), 100);
        assert_eq!(body.chunked().expect("no error"), b"abcde");
        let mut body = Incoming::new(&b"3\r\nabc"[..], 100);
        assert!(matches!(body.chunked(), Err(ReadError::Cut)));
        let mut body = Incoming::new(&b"nonsense\r\n"[..], 100);
        assert!(matches!(body.chunked(), Err(ReadError::NotHttp(_))));
    }

    #[test]
    fn nothing_longer_than_the_limit_is_kept() {
        let long = vec![b'x'; 1 << 20];
        let read = |limit| Incoming::new(&long[..], limit).everything();
        assert!(matches!(read(1000), Err(ReadError::TooLong(1000))));
        assert!(matches!(Incoming::new(&b""[..], 9).exactly(10), Err(ReadError::TooLong(9))));
        assert!(matches!(
            Incoming::new(&b"ffffffffffffffff\r\n"[..], 99).chunked(),
            Err(ReadError::TooLong(99))
        ));
    }
}
