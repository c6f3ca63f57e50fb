//! What a person types at the prompt.

use super::move_list::{Found, ListedMove, MoveList};

/// What the person wants.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Request<'a> {
    Play(&'a ListedMove),
    /// Show these moves only.
    Narrow(Vec<&'a ListedMove>),
    Random,
    Undo,
    Flip,
    State,
    Moves,
    Help,
    Quit,
    /// No move has this text.
    Unknown,
}

pub(super) const HELP: &str = "  12            play move number 12
  mark 2 3      play the move with this text, in any spacing
  mark 2        list the moves with these words; play the move if there is only one
  m, moves      list all moves again
  r, random     play a random move
  u, undo       take back to your previous choice
  f, flip       turn the picture upside down
  s, state      show all facts of the position
  q, quit       end the match
A command that is also part of a move needs a colon: `:r`.";

/// Understands a line. A move with exactly this text comes before a command of the same name.
pub(super) fn understand<'a>(line: &str, moves: &'a MoveList) -> Request<'a> {
    let line = line.trim();
    if let Some(command) = line.strip_prefix(':') {
        return command_of(command).unwrap_or(Request::Unknown);
    }
    if line.is_empty() {
        return Request::Moves;
    }
    if let Some(listed) = moves.exactly(line) {
        return Request::Play(listed);
    }
    if let Some(command) = command_of(line) {
        return command;
    }
    match moves.find(line) {
        Found::One(listed) => Request::Play(listed),
        Found::Several(several) => Request::Narrow(several),
        Found::Nothing => Request::Unknown,
    }
}

fn command_of(word: &str) -> Option<Request<'static>> {
    Some(match word.trim().to_ascii_lowercase().as_str() {
        "r" | "random" => Request::Random,
        "u" | "undo" => Request::Undo,
        "f" | "flip" => Request::Flip,
        "s" | "state" => Request::State,
        "m" | "moves" => Request::Moves,
        "h" | "help" | "?" => Request::Help,
        "q" | "quit" | "exit" => Request::Quit,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_moves_come_before_commands_and_commands_before_parts() {
        let moves = MoveList::new(&["rock".to_owned(), "u".to_owned()]);
        assert!(matches!(understand("u", &moves), Request::Play(listed) if listed.text == "u"));
        assert_eq!(understand(":u", &moves), Request::Undo);
        assert_eq!(understand("R", &moves), Request::Random);
        assert!(matches!(understand("ro", &moves), Request::Play(listed) if listed.text == "rock"));
        assert_eq!(understand("paper", &moves), Request::Unknown);
    }
}
