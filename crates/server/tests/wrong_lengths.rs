//! Referees that say a wrong length, or none, and leave the connection open: the message itself tells its end.

mod common;

use common::{endpoint, maker, raw};
use senet_server::Options;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

/// A message may take as long as these tests never do.
fn patient_player() -> SocketAddr {
    endpoint(Options { request_time: Duration::from_secs(60), ..Options::new("Tester", maker("random")) })
}

const PATIENCE: Duration = Duration::from_secs(20);

const INFO: &str = "( ( name Tester ) ( status available ) )";

/// Sends two pieces of a request, with a pause between them. What is answered.
fn in_pieces(address: SocketAddr, first: &[u8], pause: Duration, second: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_nodelay(true).and_then(|()| stream.write_all(first)).expect("it is read");
    thread::sleep(pause);
    stream.write_all(second).expect("it is read");
    let mut answer = String::new();
    stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn a_length_that_is_too_large() {
    let address = patient_player();
    let begin = Instant::now();
    let answer = raw(address, b"POST / HTTP/1.0\r\nContent-Length: 500\r\n\r\n( INFO ) ", PATIENCE);
    assert!(answer.ends_with(INFO), "{answer}");
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
}

#[test]
fn a_length_that_counts_characters() {
    let address = patient_player();
    let message = "(play M\u{fc}\u{fc}\u{fc}\u{fc} ((mark 1 1) noop))";
    let head = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n", message.chars().count());
    let request = (head + message).into_bytes();
    let answer = raw(address, &request, PATIENCE);
    assert!(answer.ends_with("\r\n\r\nbusy"), "{answer}");
    let (first, second) = request.split_at(request.len() - 3);
    let answer = in_pieces(address, first, Duration::from_secs(1), second);
    assert!(answer.ends_with("\r\n\r\nbusy"), "{answer}");
}

#[test]
fn an_open_list_without_a_length_is_waited_for() {
    let address = patient_player();
    let first = b"POST / HTTP/1.0\r\n\r\n( INFO ; )\n (";
    let answer = in_pieces(address, first, Duration::from_millis(2500), b"))");
    assert!(answer.ends_with(INFO), "{answer}");
    let answer = raw(address, b"POST / HTTP/1.0\r\n\r\ninfo", PATIENCE);
    assert!(answer.ends_with(INFO), "{answer}");
}
