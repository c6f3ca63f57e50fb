//! What the tests over real sockets share.
#![allow(dead_code, reason = "each test uses some of it")]

use senet_game::RoleId;
use senet_protocol::{Record, Walk};
use senet_search::{Assignment, Choice, Limit, Player, Rules, SearchError, Spec, Stop};
use senet_server::{Contest, Endpoint, Maker, Options, Seat, ask};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

pub(crate) fn maker(spec: &'static str) -> Maker {
    Arc::new(move |seed| spec.parse::<Spec>().expect("a strategy").player(seed))
}

/// A player that listens on some port.
pub(crate) fn endpoint(options: Options) -> SocketAddr {
    let endpoint = Endpoint::bind("127.0.0.1:0", options).expect("a port");
    let address = endpoint.address().expect("an address");
    thread::spawn(move || endpoint.run());
    address
}

pub(crate) fn random_player() -> SocketAddr {
    endpoint(Options { seed: 7, ..Options::new("Tester", maker("random")) })
}

/// Sends a message as referees do.
pub(crate) fn say(address: SocketAddr, message: &str) -> String {
    ask(address, "Tester", message, Instant::now() + Duration::from_secs(20)).expect("an answer")
}

/// Sends bytes, and says nothing more. What came back until the connection was closed or for so long.
pub(crate) fn raw(address: SocketAddr, bytes: &[u8], patience: Duration) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(patience)).expect("a time-out");
    // The other side may have heard enough.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let mut piece = [0; 4096];
    while let Ok(n) = stream.read(&mut piece) {
        if n == 0 {
            break;
        }
        answer.extend_from_slice(&piece[..n]);
    }
    String::from_utf8_lossy(&answer).into_owned()
}

pub(crate) fn rulesheet(name: &str) -> String {
    senet_engines::library::find(name).expect("built in").text
}

pub(crate) fn rules(name: &str) -> Arc<Rules> {
    Rules::new(senet_gdl::parse(&rulesheet(name))).expect("it plays")
}

/// A START for the first role of a built-in game, in one line.
pub(crate) fn start(id: &str, game: &str, start_clock: f64, play_clock: f64) -> String {
    let description = senet_gdl::parse(&rulesheet(game));
    let role = rules(game).role_names()[0].clone();
    format!("(START {id} {role} ({}) {start_clock} {play_clock})", description.to_text())
}

pub(crate) fn remote(address: SocketAddr) -> Seat {
    Seat::Remote { address: address.to_string() }
}

pub(crate) fn local(player: Box<dyn Player>) -> Seat {
    Seat::Local { name: "local".to_owned(), player, is_timed: true }
}

pub(crate) fn random(seed: u64) -> Seat {
    local("random".parse::<Spec>().expect("a strategy").player(seed))
}

pub(crate) fn contest(game: &str, seats: Vec<Seat>, play_clock: f64) -> Contest {
    Contest {
        rules: rules(game),
        game: game.to_owned(),
        seats,
        start_clock: Duration::from_secs(5),
        start_grace: Duration::from_millis(100),
        play_clock: Duration::from_secs_f64(play_clock),
        grace: Duration::from_millis(100),
        ponder: true,
        scramble: false,
        seed: 3,
        most_steps: 1_000,
        left: Stop::default(),
    }
}

/// Plays, and holds the record against the rules.
pub(crate) fn play(contest: Contest) -> Record {
    let game = contest.game.clone();
    let record = contest.play(&mut |referee| {
        referee.record().check_lengths().expect("whole at any time");
        ControlFlow::Continue(())
    });
    let record = record.expect("it begins");
    let read = Record::from_json(record.to_json().as_bytes()).expect("it is whole");
    assert_eq!(read, record);
    let rules = rules(&game);
    let mut walk = Walk::new(&record, rules.engine().clone()).expect("it is true");
    while walk.go_on().expect("it is true") {}
    record
}

/// A player of its own making: what it does with each connection.
pub(crate) fn odd_player(act: impl Fn(usize, &mut TcpStream) + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for (at, stream) in listener.incoming().enumerate() {
            let mut stream = stream.expect("a connection");
            act(at, &mut stream);
        }
    });
    address
}

/// Reads a request, so that the other side sees its message taken.
pub(crate) fn read_message(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut piece = [0; 16 << 10];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
            if length.is_some_and(|length| length.parse() == Ok(body.len())) {
                return body.to_owned();
            }
        }
        match stream.read(&mut piece) {
            Ok(n) if n > 0 => bytes.extend_from_slice(&piece[..n]),
            _ => return text,
        }
    }
}

pub(crate) fn respond(stream: &mut TcpStream, body: &str) {
    let head = format!("HTTP/1.0 200 OK\r\nContent-length: {}\r\n\r\n", body.len());
    let _ = stream.write_all((head + body).as_bytes());
}

/// Does something else than it should when it is asked for a move.
pub(crate) struct Broken(pub(crate) fn(&Limit) -> Result<Choice, SearchError>);

impl Player for Broken {
    fn start(&mut self, assignment: Assignment, _: &Limit) -> Result<(), SearchError> {
        assert!(assignment.role < RoleId::new(9));
        Ok(())
    }

    fn choose(&mut self, limit: &Limit) -> Result<Choice, SearchError> {
        (self.0)(limit)
    }

    fn observe(&mut self, _: &[String]) -> Result<(), SearchError> {
        Ok(())
    }
}
