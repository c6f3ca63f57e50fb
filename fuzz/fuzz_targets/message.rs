//! Any bytes are a message or are refused; what is written is read as the same. Replies and reports likewise.

#![no_main]

use libfuzzer_sys::fuzz_target;
use senet_protocol::{ListEnd, Message, Reply, Session, Thoughts};
use std::time::{Duration, Instant};

fuzz_target!(|input: &[u8]| {
    ListEnd::default().look(input);
    Reply::parse_info(input);
    if let Ok(text) = Reply::parse_move(input) {
        assert_eq!(Reply::parse_move(text.as_bytes()), Ok(text), "a canonical move is canonical");
    }
    if let Some(thoughts) = Thoughts::from_line(input) {
        // Short ones are written whole.
        if let Some(line) = thoughts.to_line().filter(|_| input.len() < 1_000) {
            assert_eq!(Thoughts::from_line(line.as_bytes()), Some(thoughts), "what is written is read");
        }
    }
    let mut session = Session::new("fuzz", Duration::from_secs(1));
    // Several messages, one a line.
    for line in input.split(|&byte| byte == b'\n').take(20) {
        let Ok(message) = Message::parse(line) else { continue };
        let written = message.to_string();
        let again = Message::parse(written.as_bytes()).expect("what is written is read");
        assert_eq!(again.to_string(), written);
        session.receive(message, Instant::now());
    }
    if let Ok(message) = Message::parse(input) {
        let again = Message::parse(message.to_string().as_bytes()).expect("what is written is read");
        assert_eq!(again.to_string(), message.to_string());
    }
});
