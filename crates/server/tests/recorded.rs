//! Recorded exchanges: the player answers each request in the form in which another player did.
//!
//! Those of `exchanges/` are our own; those of other programs are tested where they stand beside the workspace.

mod common;

use common::{endpoint, maker, raw};
use senet_game::AnyMatch;
use senet_protocol::{Message, Reply, wire};
use senet_search::Rules;
use senet_server::Options;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A request and its answer, as they went over the wire.
struct Exchange {
    player: String,
    request: String,
    response: String,
}

fn exchanges(text: &str) -> Vec<Exchange> {
    let mut all = Vec::new();
    let mut request = None;
    for part in text.split("--- ").skip(1) {
        let (title, content) = part.split_once('\n').expect("a line that says who speaks");
        let player = title.split_whitespace().nth(2).expect("a port").to_owned();
        let content = content.replace("\\r\n", "\r\n");
        // The line ends behind a body are the recording's; those of heads are HTTP's.
        let content = match content.strip_suffix('\n') {
            Some(whole) if !whole.ends_with('\r') => whole.to_owned(),
            _ => content,
        };
        match request.take() {
            None => request = Some(content),
            Some(request) => all.push(Exchange { player, request, response: content }),
        }
    }
    all
}

fn body(http: &str) -> &str {
    http.split_once("\r\n\r\n").map_or("", |(_, body)| body)
}

/// A recording may leave out what was said in an earlier one.
fn is_complete(request: &str) -> bool {
    let length = request.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    length.is_none_or(|length| length == body(request).len() || request.starts_with("GET"))
}

/// The head without the length of the body.
fn form(http: &str) -> Vec<&str> {
    let head = http.split_once("\r\n\r\n").map_or(http, |(head, _)| head);
    head.lines().filter(|line| !line.to_ascii_lowercase().starts_with("content-length")).collect()
}

/// The match of one player, followed to know which moves are legal.
struct Following {
    rules: Arc<Rules>,
    role: usize,
    game: Box<dyn AnyMatch>,
}

impl Following {
    fn new(rules: &str, role: &str) -> Following {
        let rules = Rules::new(senet_gdl::parse(rules)).expect("it plays");
        let role =
            rules.role_names().iter().position(|name| name.eq_ignore_ascii_case(role)).expect("a role");
        let game = rules.engine().clone().start().expect("it begins");
        Following { rules, role, game }
    }

    fn play(&mut self, moves: &[String]) {
        let moves = moves.iter().map(|text| senet_gdl::canonical(text).expect("a move"));
        let named = self.rules.role_names().iter().cloned().zip(moves).collect();
        self.game.play(&named).expect("recorded moves are legal");
    }

    fn check_move(&mut self, text: &str) {
        let canonical = Reply::parse_move(text.as_bytes()).expect("a move");
        assert!(self.game.position().legal[self.role].contains(&canonical), "{text} is not legal");
        assert_eq!(text, wire(&canonical, &self.rules.description().symbols));
    }
}

/// Plays all of a recording to players of ours. How many answers were compared.
fn answer(text: &str) -> usize {
    let all = exchanges(text);
    let mut players: BTreeMap<&str, (SocketAddr, Option<Following>)> = BTreeMap::new();
    for Exchange { player, response, .. } in &all {
        let name = Reply::parse_info(body(response).as_bytes()).name;
        if let Some(name) = name.filter(|_| !players.contains_key(player.as_str())) {
            players.insert(player, (endpoint(Options::new(&name, maker("random"))), None));
        }
    }
    let mut n_compared = 0;
    for Exchange { player, request, response } in all.iter().filter(|exchange| is_complete(&exchange.request))
    {
        let (address, following) = players
            .entry(player)
            .or_insert_with(|| (endpoint(Options::new("Tester", maker("random"))), None));
        let answer = raw(*address, request.as_bytes(), Duration::from_secs(20));
        let message = match request.strip_prefix("GET /") {
            Some(path) => path
                .split(' ')
                .next()
                .unwrap_or("")
                .replace("%28", "(")
                .replace("%29", ")")
                .replace("%20", " "),
            None => body(request).to_owned(),
        };
        let message = Message::parse(message.as_bytes()).expect("a message");
        if request.contains("Sender: GAMESERVER") {
            assert_eq!(message.to_string(), body(request).trim_end(), "our referee says it in the same form");
        }
        if response.is_empty() {
            assert_eq!(body(&answer), "ready", "the recorded player did not answer a PREVIEW");
            continue;
        }
        assert_eq!(form(&answer), form(response));
        assert!(answer.contains(&format!("Content-length: {}\r\n", body(&answer).len())), "{answer}");
        match (&message, &mut *following) {
            (Message::Play { moves, .. }, Some(following)) => {
                moves.iter().for_each(|moves| following.play(moves));
                following.check_move(body(&answer));
                // The recorded move may be another one, in the same form.
                following.check_move(body(response));
            }
            _ => assert_eq!(body(&answer), body(response)),
        }
        match message {
            Message::Start { rules, role, .. } => *following = Some(Following::new(&rules, &role)),
            Message::Stop { .. } | Message::Abort { .. } if body(&answer) != "busy" => *following = None,
            _ => {}
        }
        n_compared += 1;
    }
    n_compared
}

#[test]
fn our_own_exchanges() {
    assert_eq!(answer(include_str!("exchanges/forms.txt")), 6);
}

#[test]
fn exchanges_of_other_programs() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace");
    let folder = workspace.parent().expect("a folder").join("shared/protocol");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: ../shared is not there");
        return;
    };
    let mut n_compared = 0;
    for entry in entries {
        let path = entry.expect("the exchanges can be listed").path();
        let text = std::fs::read_to_string(&path).expect("the exchange can be read");
        let n = answer(&text);
        eprintln!("{}: {n} answers", path.display());
        n_compared += n;
    }
    assert!(n_compared >= 50, "only {n_compared} answers were compared");
}
