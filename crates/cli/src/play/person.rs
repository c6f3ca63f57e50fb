//! A person as a player among others.

use super::ink::Ink;
use super::menu::menu;
use super::move_list::{MoveList, shown};
use super::picture::Painter;
use super::request::{Request, understand};
use super::terminal_width;
use senet_game::{AnyMatch, Position};
use senet_search::{Assignment, Choice, Limit, Player, Report, SearchError, Stop};
use std::io::{self, BufRead, BufReader, IsTerminal, Write};

const HELP: &str = "  12            play move number 12
  mark 2 3      play the move with this text, in any spacing
  mark 2        list the moves with these words; play the move if there is only one
  m, moves      list all moves again
  f, flip       turn the picture upside down
  s, state      show all facts of the position
  q, quit       leave the match
A command that is also part of a move needs a colon: `:m`.";

/// Somebody at a terminal, asked for every move that is a choice.
pub(crate) struct Person<R, W> {
    input: R,
    out: W,
    ink: Ink,
    width: usize,
    /// Write out what was typed, for input that nobody sees.
    echo: bool,
    /// Called when the person leaves.
    left: Stop,
    now: Option<Now>,
}

struct Now {
    game: Box<dyn AnyMatch>,
    assignment: Assignment,
    painter: Painter,
    /// The facts of the position last shown.
    shown: Vec<String>,
}

impl Person<BufReader<io::Stdin>, Box<dyn Write + Send>> {
    /// The person at this terminal. Where standard output is for data, talk goes to standard error.
    pub(crate) fn at_the_terminal(left: Stop, is_quiet: bool) -> Self {
        let out: Box<dyn Write + Send> =
            if is_quiet { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
        let echo = !io::stdin().is_terminal();
        let input = BufReader::new(io::stdin());
        Person { input, out, ink: Ink::of_stdout(), width: terminal_width(), echo, left, now: None }
    }
}

impl<R: BufRead + Send, W: Write + Send> Player for Person<R, W> {
    fn start(&mut self, assignment: Assignment, _: &Limit) -> Result<(), SearchError> {
        let engine = assignment.rules.engine().clone();
        let mut painter = Painter::new(assignment.rules.description(), engine.role_names());
        painter.scout(&engine);
        self.now = Some(Now { game: engine.start()?, assignment, painter, shown: Vec::new() });
        Ok(())
    }

    fn choose(&mut self, _: &Limit) -> Result<Choice, SearchError> {
        let mut now = self.now.take().ok_or(SearchError::NoMatch)?;
        let position = now.game.position();
        let text = match position.legal[now.assignment.role.index()].as_slice() {
            [only] => Some(only.clone()),
            // A terminal that is gone is a person that is gone.
            legal => self.ask(&mut now, &position, &MoveList::new(legal)).unwrap_or(None),
        };
        self.now = Some(now);
        match text {
            Some(text) => Ok(Choice { text, report: Report::default() }),
            None => {
                self.left.stop();
                Err(SearchError::NoMatch)
            }
        }
    }

    fn observe(&mut self, joint: &[String]) -> Result<(), SearchError> {
        let now = self.now.as_mut().ok_or(SearchError::NoMatch)?;
        let names = now.assignment.rules.role_names().iter().cloned();
        now.game.play(&names.zip(joint.iter().cloned()).collect())?;
        now.painter.observe(&now.game.position());
        Ok(())
    }

    fn stop(&mut self) {
        self.now = None;
    }
}

impl<R: BufRead, W: Write> Person<R, W> {
    /// The move that the person wants; none if the person leaves.
    fn ask(&mut self, now: &mut Now, position: &Position, moves: &MoveList) -> io::Result<Option<String>> {
        let role = now.assignment.rules.role_names()[now.assignment.role.index()].clone();
        self.draw(now, position)?;
        self.list(moves, &moves.all())?;
        loop {
            write!(self.out, "{role}> ")?;
            self.out.flush()?;
            let mut line = Vec::new();
            if self.input.read_until(b'\n', &mut line)? == 0 {
                writeln!(self.out)?;
                return Ok(None);
            }
            let line = String::from_utf8_lossy(&line).trim().to_owned();
            if self.echo {
                writeln!(self.out, "{line}")?;
            }
            match understand(&line, moves) {
                Request::Play(listed) => return Ok(Some(listed.text.clone())),
                Request::Quit => return Ok(None),
                Request::Narrow(several) => self.list(moves, &several)?,
                Request::Moves => self.list(moves, &moves.all())?,
                Request::Help => writeln!(self.out, "{HELP}")?,
                Request::State => {
                    for fact in &position.state {
                        writeln!(self.out, "  {}", shown(fact))?;
                    }
                }
                Request::Flip => {
                    now.painter.flipped = !now.painter.flipped;
                    self.draw(now, position)?;
                }
                Request::Random | Request::Undo => {
                    writeln!(self.out, "This is a match: moves are chosen and stay.")?;
                }
                Request::Unknown => {
                    writeln!(self.out, "`{line}` is no legal move here: `moves` lists them, `help` helps.")?;
                }
            }
        }
    }

    fn draw(&mut self, now: &mut Now, position: &Position) -> io::Result<()> {
        writeln!(self.out)?;
        let scene = now.painter.scene(&position.state, &now.shown);
        for line in now.painter.draw(&scene, self.ink, self.width) {
            writeln!(self.out, "{line}")?;
        }
        now.shown.clone_from(&position.state);
        writeln!(self.out)
    }

    fn list(&mut self, moves: &MoveList, some: &[&super::move_list::ListedMove]) -> io::Result<()> {
        for line in menu(some, moves.is_numbered(), self.ink, self.width) {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use senet_game::RoleId;
    use senet_search::Rules;

    fn person(typed: &'static str) -> (Person<&'static [u8], Vec<u8>>, Stop) {
        let game = senet_engines::library::find("tic-tac-toe").expect("built in");
        let rules = Rules::new(senet_gdl::parse(&game.text)).expect("it plays");
        let left = Stop::default();
        let mut person = Person {
            input: typed.as_bytes(),
            out: Vec::new(),
            ink: Ink::PLAIN,
            width: 80,
            echo: true,
            left: left.clone(),
            now: None,
        };
        person.start(Assignment { rules, role: RoleId::new(0) }, &Limit::default()).expect("it begins");
        (person, left)
    }

    #[test]
    fn a_person_chooses_where_there_is_a_choice() {
        let (mut person, left) = person("help\nundo\nmark 9\nmark 2\nmark 2 2\n");
        assert_eq!(person.choose(&Limit::default()).expect("a move").text, "(mark 2 2)");
        person.observe(&["(mark 2 2)".to_owned(), "noop".to_owned()]).expect("it is legal");
        assert_eq!(person.choose(&Limit::default()).expect("a move").text, "noop");
        assert!(!left.is_called());
        let said = String::from_utf8(person.out).expect("text");
        for part in ["x> help", "leave the match", "moves are chosen and stay", "`mark 9` is no legal move"] {
            assert!(said.contains(part), "{said}");
        }
    }

    #[test]
    fn a_person_may_leave() {
        for typed in ["quit\n", ""] {
            let (mut person, left) = person(typed);
            assert!(person.choose(&Limit::default()).is_err());
            assert!(left.is_called());
        }
    }
}
