//! HTTP as referees and players speak it: one message a connection, in any dialect they were seen to use.

use crate::incoming::{Framing, Incoming, ReadError};
use crate::timed::Timed;
use senet_protocol::{ListEnd, MAX_MESSAGE};
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A head may come beside the message.
const MOST_BYTES: usize = MAX_MESSAGE + (64 << 10);

/// Lengths may be wrong: how long nothing comes before a message that looks whole is taken for it.
const QUIET: Duration = Duration::from_millis(200);

/// How long nothing comes before words without a length are taken for a message.
const QUIET_AFTER_WORDS: Duration = Duration::from_secs(1);

const MOST_HEADERS: usize = 100;

/// With this header a referee asks what the search says of its move, and a player answers. Others pass it over.
const REPORT: &str = "Senet-Report";

/// What a referee wants.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Request {
    /// The text of a message, and whether a report is wanted beside the answer.
    Message {
        /// The text.
        bytes: Vec<u8>,
        /// Whether the search is asked for its report.
        wants_report: bool,
    },
    /// What may be asked: browsers want to know before they ask.
    Options,
}

/// Reads a request until the deadline.
pub(crate) fn read_request(stream: &TcpStream, deadline: Instant) -> Result<Request, ReadError> {
    let mut incoming = Incoming::new(Timed { stream, deadline }, MOST_BYTES);
    let head = incoming.head()?.ok_or(ReadError::Cut)?;
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let mut lenient = httparse::ParserConfig::default();
    lenient.ignore_invalid_headers_in_requests(true).allow_multiple_spaces_in_request_line_delimiters(true);
    let parsed = lenient.parse_request(&mut request, &head);
    if !matches!(parsed, Ok(httparse::Status::Complete(_))) {
        return Err(ReadError::NotHttp("the head cannot be read"));
    }
    let wants_report = value_of(request.headers, REPORT).is_some();
    match request.method.unwrap_or_default() {
        "OPTIONS" => Ok(Request::Options),
        "POST" | "PUT" => {
            let framing = framing(request.headers);
            expect_body(stream, deadline, request.headers)?;
            Ok(Request::Message { bytes: request_body(&mut incoming, framing)?, wants_report })
        }
        "GET" => {
            let bytes = message_of_path(request.path.unwrap_or_default());
            Ok(Request::Message { bytes, wants_report })
        }
        _ => Err(ReadError::NotHttp("there is POST, GET and OPTIONS")),
    }
}

fn value_of<'a>(headers: &[httparse::Header<'a>], name: &str) -> Option<&'a [u8]> {
    headers.iter().find(|header| header.name.eq_ignore_ascii_case(name)).map(|header| header.value)
}

fn framing(headers: &[httparse::Header<'_>]) -> Framing {
    let value = |name| Some(String::from_utf8_lossy(value_of(headers, name)?).trim().to_ascii_lowercase());
    if value("transfer-encoding").is_some_and(|coding| coding.contains("chunked")) {
        return Framing::Chunked;
    }
    match value("content-length").map(|length| length.parse()) {
        Some(Ok(length)) => Framing::Length(length),
        Some(Err(_)) | None => Framing::Stream,
    }
}

/// Some clients wait for leave to send a long body.
fn expect_body(
    stream: &TcpStream,
    deadline: Instant,
    headers: &[httparse::Header<'_>],
) -> Result<(), ReadError> {
    let is_expecting = headers.iter().any(|header| header.name.eq_ignore_ascii_case("expect"));
    if is_expecting {
        Timed { stream, deadline }.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    Ok(())
}

fn request_body(incoming: &mut Incoming<Timed<'_>>, framing: Framing) -> Result<Vec<u8>, ReadError> {
    match framing {
        Framing::Chunked => incoming.chunked(),
        Framing::Length(length) => body_until_its_end(incoming, Some(length)),
        Framing::Stream => body_until_its_end(incoming, None),
    }
}

/// Reads a message whose length is unknown, or said and perhaps wrong: the message itself tells its end. The sender waits
/// for an answer and leaves the stream open.
fn body_until_its_end(
    incoming: &mut Incoming<Timed<'_>>,
    length: Option<usize>,
) -> Result<Vec<u8>, ReadError> {
    incoming.allow(length.unwrap_or(0))?;
    let deadline = incoming.source().deadline;
    let mut list = ListEnd::default();
    loop {
        let n = incoming.bytes().len();
        list.look(incoming.bytes());
        let ends_at = match (length, list.end()) {
            // Who counts characters instead of bytes says too little.
            (Some(length), Some(end)) if n >= length => Some(end.max(length)),
            (Some(length), None) if n >= length && !list.is_open() => Some(length),
            (None, Some(end)) => Some(end),
            _ => None,
        };
        if let Some(end) = ends_at {
            return Ok(incoming.bytes()[..end].to_vec());
        }
        let patience = patience(length, n, &list);
        incoming.source().deadline = patience.map_or(deadline, |time| deadline.min(Instant::now() + time));
        match incoming.more() {
            Ok(true) => {}
            Ok(false) | Err(ReadError::Late) => {
                let is_enough = length.is_none_or(|length| n >= length) || list.end().is_some();
                return if is_enough { Ok(incoming.bytes().to_vec()) } else { Err(ReadError::Cut) };
            }
            Err(error) => return Err(error),
        }
    }
}

/// How long more is waited for where so many bytes are there; `None` if something is missing for sure.
fn patience(length: Option<usize>, n_bytes: usize, list: &ListEnd) -> Option<Duration> {
    match length {
        None if list.is_open() => None,
        None => Some(QUIET_AFTER_WORDS),
        // Too much was said.
        Some(length) if n_bytes < length => list.end().map(|_| QUIET),
        // Too little was said if anything comes, or the list is never closed.
        Some(length) => (n_bytes == length).then_some(QUIET),
    }
}

/// The message in a path such as `/%28INFO%29`.
fn message_of_path(path: &str) -> Vec<u8> {
    let bytes = path.trim_start_matches('/').trim_start_matches('?').as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let mut message = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let (byte, length) = match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => ((high * 16 + low) as u8, 3),
            (b'+', ..) => (b' ', 1),
            _ => (byte, 1),
        };
        message.push(byte);
        at += length;
    }
    message
}

/// Sends an answer in the form that players were seen to use, with a report of one line beside it if there is one.
pub(crate) fn write_response(
    stream: &TcpStream,
    deadline: Instant,
    status: &str,
    report: Option<&str>,
    body: &str,
) -> std::io::Result<()> {
    let report = report.map_or(String::new(), |report| format!("{REPORT}: {report}\r\n"));
    let head = format!(
        "HTTP/1.0 {status}\r\nContent-type: text/acl\r\nContent-length: {}\r\n\
         Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
         Access-Control-Allow-Headers: Content-Type\r\nAccess-Control-Allow-Age: 86400\r\n{report}\r\n",
        body.len()
    );
    Timed { stream, deadline }.write_all((head + body).as_bytes())
}

/// The head of a request in the form that referees were seen to use.
pub(crate) fn request_head(receiver: &str, length: usize, wants_report: bool) -> String {
    let report = if wants_report { format!("{REPORT}: 1\r\n") } else { String::new() };
    format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost\r\nSender: GAMESERVER\r\nReceiver: {receiver}\r\n\
         Content-Type: text/acl\r\nContent-Length: {length}\r\n{report}\r\n"
    )
}

/// What came back.
pub(crate) struct Response {
    pub(crate) body: Vec<u8>,
    /// What the player says beside its answer.
    pub(crate) report: Option<Vec<u8>>,
}

/// Reads an answer: by its length, in chunks or to the end of the stream. An answer without a head is all body.
pub(crate) fn read_response(
    stream: &TcpStream,
    deadline: Instant,
    most_bytes: usize,
) -> Result<Response, ReadError> {
    let mut incoming = Incoming::new(Timed { stream, deadline }, most_bytes);
    const BEGINNING: &[u8] = b"HTTP/";
    while incoming.bytes().len() < BEGINNING.len() && BEGINNING.starts_with(incoming.bytes()) {
        if !incoming.more()? {
            break;
        }
    }
    if !incoming.bytes().starts_with(BEGINNING) {
        return Ok(Response { body: incoming.everything()?, report: None });
    }
    let head = incoming.head()?.ok_or(ReadError::Cut)?;
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let mut lenient = httparse::ParserConfig::default();
    lenient.ignore_invalid_headers_in_responses(true).allow_spaces_after_header_name_in_responses(true);
    if !matches!(lenient.parse_response(&mut response, &head), Ok(httparse::Status::Complete(_))) {
        return Err(ReadError::NotHttp("the head cannot be read"));
    }
    let body = match framing(response.headers) {
        Framing::Chunked => incoming.chunked()?,
        Framing::Length(length) => match incoming.exactly(length)? {
            // A stream that ended early may have said enough; one that is late has not.
            (body, is_whole) if is_whole || Instant::now() < deadline => body,
            _ => return Err(ReadError::Late),
        },
        Framing::Stream => incoming.everything()?,
    };
    Ok(Response { body, report: value_of(response.headers, REPORT).map(<[u8]>::to_vec) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_carries_a_message() {
        let text = |path: &str| String::from_utf8_lossy(&message_of_path(path)).into_owned();
        assert_eq!(text("/%28%20INFO%20)"), "( INFO )");
        assert_eq!(text("/?(play+m1+nil)"), "(play m1 nil)");
        assert_eq!(text("/"), "");
        assert_eq!(text("/100%"), "100%");
        assert_eq!(text("/%zz%2"), "%zz%2");
    }

    #[test]
    fn what_is_missing_for_sure_is_waited_for() {
        let patience = |length, text: &str| {
            let mut list = ListEnd::default();
            list.look(text.as_bytes());
            patience(length, text.len(), &list)
        };
        assert_eq!(patience(None, "(play m (a"), None);
        assert_eq!(patience(None, "info"), Some(QUIET_AFTER_WORDS));
        assert_eq!(patience(Some(9), "(play m"), None);
        assert_eq!(patience(Some(9), "info"), None);
        assert_eq!(patience(Some(9), "(info)"), Some(QUIET));
        assert_eq!(patience(Some(6), "(play "), Some(QUIET));
        assert_eq!(patience(Some(6), "(play m"), None);
    }

    #[test]
    fn headers_tell_the_end_of_a_body() {
        let header = |name, value: &'static str| httparse::Header { name, value: value.as_bytes() };
        assert_eq!(framing(&[header("content-LENGTH", " 12 ")]), Framing::Length(12));
        assert_eq!(framing(&[header("Content-Length", "-1")]), Framing::Stream);
        assert_eq!(
            framing(&[header("Content-Length", "3"), header("Transfer-encoding", "Chunked")]),
            Framing::Chunked
        );
        assert_eq!(framing(&[]), Framing::Stream);
    }
}
