//! One match between a person and others.

use super::ink::Ink;
use super::menu::menu;
use super::move_list::{ListedMove, MoveList, shown};
use super::opponents::{Opponents, thoughts};
use super::outcome::outcome;
use super::picture::Painter;
use super::request::{HELP, Request, understand};
use crate::output_file::write_file;
use anyhow::{Context, Result};
use senet_game::{AnyEngine, AnyMatch, MoveGenerator, Position, RoleId};
use senet_gdl::Description;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Where and how the match is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Screen {
    pub(super) ink: Ink,
    pub(super) width: usize,
    /// Write out what was typed, for input that nobody sees.
    pub(super) echo: bool,
    /// How long each position of a match without a person stays.
    pub(super) delay: Duration,
}

/// A joint move that can be taken back.
struct Step {
    /// The random draws as they were before it.
    generator: MoveGenerator,
    /// Whether the person chose.
    was_choice: bool,
}

/// What the person does in a position with several moves.
enum Choice {
    Move(String),
    Random,
    /// Look again: the position may have changed.
    Again,
    Leave,
}

pub(super) struct TerminalMatch<R, W> {
    game: Box<dyn AnyMatch>,
    roles: Vec<String>,
    person: Option<usize>,
    seed: u64,
    generator: MoveGenerator,
    past: Vec<Step>,
    /// Roles that neither these nor the person plays are played at random.
    opponents: Option<Opponents>,
    painter: Painter,
    /// The facts of the position last shown.
    shown: Vec<String>,
    /// Where each position shown is also drawn as SVG.
    svg: Option<PathBuf>,
    screen: Screen,
    input: R,
    out: W,
}

/// As long as a playout may be. Where nobody has a choice, nobody could end the match.
const MOST_MOVES: usize = 10_000;

impl<R: BufRead, W: Write> TerminalMatch<R, W> {
    /// A match about to begin. Without a person all roles play at random.
    pub(super) fn new(
        engine: Arc<dyn AnyEngine>,
        description: &Description,
        person: Option<usize>,
        seed: u64,
        screen: Screen,
        input: R,
        out: W,
    ) -> Result<Self> {
        let roles = engine.role_names().to_vec();
        let mut painter = Painter::new(description, &roles);
        painter.scout(&engine);
        Ok(Self {
            game: engine.start().context("the match cannot begin")?,
            roles,
            person,
            seed,
            generator: MoveGenerator::new(seed),
            past: Vec::new(),
            opponents: None,
            painter,
            shown: Vec::new(),
            svg: None,
            screen,
            input,
            out,
        })
    }

    /// The same, against players that think.
    pub(super) fn against(self, opponents: Option<Opponents>) -> Self {
        Self { opponents, ..self }
    }

    /// The same, with each position that is shown drawn into a file.
    pub(super) fn drawing_to(self, svg: Option<PathBuf>) -> Self {
        Self { svg, ..self }
    }

    /// Plays until the match is over or the person leaves.
    pub(super) fn play(mut self, name: &str) -> Result<()> {
        self.greet(name)?;
        loop {
            let position = self.game.position();
            self.painter.observe(&position);
            if position.terminal {
                self.show(&position)?;
                return Ok(self.conclude(&position)?);
            }
            if self.past.len() == MOST_MOVES {
                writeln!(self.out, "This match goes on and on: it is left after {MOST_MOVES} moves.")?;
                return Ok(());
            }
            let own_moves = self.person.map(|role| position.legal[role].as_slice());
            let (own, was_choice) = match own_moves {
                None => {
                    self.show(&position)?;
                    self.out.flush()?;
                    std::thread::sleep(self.screen.delay);
                    (None, false)
                }
                // One move is played, and none is an error that the draw below reports.
                Some([] | [_]) => (None, false),
                Some(legal) => {
                    self.show(&position)?;
                    match self.ask(&MoveList::new(legal))? {
                        Choice::Move(text) => (Some(text), true),
                        Choice::Random => (None, true),
                        Choice::Again => continue,
                        Choice::Leave => return Ok(()),
                    }
                }
            };
            let generator = self.generator.clone();
            let moves = self.joint_move(own, &position).context("the match cannot go on")?;
            self.game.play(&moves).context("the match cannot go on")?;
            if let Some(opponents) = &mut self.opponents {
                opponents.observe(self.roles.iter().map(|role| moves[role].clone()).collect())?;
            }
            self.past.push(Step { generator, was_choice });
            self.tell_moves(&moves, &position)?;
        }
    }

    fn greet(&mut self, name: &str) -> io::Result<()> {
        let mut who = Vec::new();
        if let Some(role) = self.person {
            who.push(format!("you are {}", self.roles[role]));
        }
        let is_thinking = |role: usize| self.opponents.as_ref().is_some_and(|it| it.plays(role));
        let names = |wanted: &dyn Fn(usize) -> bool| -> Vec<&str> {
            let others = (0..self.roles.len()).filter(|&role| Some(role) != self.person && wanted(role));
            others.map(|role| self.roles[role].as_str()).collect()
        };
        let (thinking, random) = (names(&is_thinking), names(&|role| !is_thinking(role)));
        if let (Some(opponents), false) = (&self.opponents, thinking.is_empty()) {
            let is = if thinking.len() == 1 { "is" } else { "are" };
            who.push(format!("{} {is} played by {}", thinking.join(", "), opponents.name()));
        }
        if !random.is_empty() {
            let s = if random.len() == 1 { "s" } else { "" };
            who.push(format!("{} play{s} at random", random.join(", ")));
        }
        writeln!(self.out, "{name}: {}. Seed {}.", who.join("; "), self.seed)?;
        if self.person.is_some() {
            writeln!(self.out, "Type a move or its number; `help` shows what else.")?;
        }
        Ok(())
    }

    /// One move for each role, in the order in which every random match draws.
    fn joint_move(&mut self, own: Option<String>, position: &Position) -> Result<BTreeMap<String, String>> {
        let mut moves = BTreeMap::new();
        for (role, name) in self.roles.iter().enumerate() {
            let choice = match &mut self.opponents {
                Some(opponents) => opponents.choose(role, position)?,
                None => None,
            };
            let text = match (&own, choice) {
                (Some(text), _) if Some(role) == self.person => text.clone(),
                (_, Some(choice)) => {
                    if let Some(told) = thoughts(role, &choice.report, |text| shown(text).to_owned()) {
                        writeln!(self.out, "     {name} {told}")?;
                    }
                    choice.text
                }
                _ => self.game.random_move(RoleId::new(role), &mut self.generator)?,
            };
            moves.insert(name.clone(), text);
        }
        Ok(moves)
    }

    fn show(&mut self, position: &Position) -> Result<()> {
        let Screen { ink, width, .. } = self.screen;
        let scene = self.painter.scene(&position.state, &self.shown);
        writeln!(self.out)?;
        for line in self.painter.draw(&scene, ink, width) {
            writeln!(self.out, "{line}")?;
        }
        if !position.terminal && !scene.to_move.is_empty() {
            writeln!(self.out, "  {} to move", scene.to_move.join(", "))?;
        }
        self.shown.clone_from(&position.state);
        writeln!(self.out)?;
        if let Some(path) = &self.svg {
            write_file(path, |file| file.write_all(senet_boards::svg(&scene).as_bytes()))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }

    fn tell_moves(&mut self, moves: &BTreeMap<String, String>, before: &Position) -> io::Result<()> {
        let part = |(role, name): (usize, &String)| {
            let text = shown(&moves[name]);
            match Some(role) == self.person && before.legal[role].len() == 1 {
                true => format!("{name}: {text} (only move)"),
                false => format!("{name}: {text}"),
            }
        };
        let parts: Vec<String> = self.roles.iter().enumerate().map(part).collect();
        writeln!(self.out, "{:>3}. {}", self.game.moves_played(), parts.join("   "))
    }

    fn conclude(&mut self, position: &Position) -> io::Result<()> {
        let length = count_moves(self.game.moves_played());
        let goal = |(role, goal): (&String, &Option<u8>)| match goal {
            Some(goal) => format!("{role} {goal}"),
            None => format!("{role} without a goal"),
        };
        let goals: Vec<String> = self.roles.iter().zip(&position.goals).map(goal).collect();
        writeln!(self.out, "The match is over after {length}: {}.", goals.join(", "))?;
        let outcome = outcome(&self.roles, &position.goals, self.person);
        writeln!(self.out, "{}", self.screen.ink.strong(&outcome))
    }

    fn ask(&mut self, moves: &MoveList) -> Result<Choice> {
        self.list(moves, &moves.all())?;
        loop {
            let Some(line) = self.read_line()? else {
                writeln!(self.out, "\nThe input has ended, and so does the match.")?;
                return Ok(Choice::Leave);
            };
            match understand(&line, moves) {
                Request::Play(listed) => return Ok(Choice::Move(listed.text.clone())),
                Request::Random => return Ok(Choice::Random),
                Request::Narrow(several) => {
                    writeln!(self.out, "{} of {}:", several.len(), count_moves(moves.all().len()))?;
                    self.list(moves, &several)?;
                }
                Request::Moves => self.list(moves, &moves.all())?,
                Request::Undo if self.undo()? => return Ok(Choice::Again),
                Request::Undo => {
                    writeln!(self.out, "This is your first choice: there is nothing to take back.")?
                }
                Request::Flip => {
                    self.painter.flipped = !self.painter.flipped;
                    return Ok(Choice::Again);
                }
                Request::State => {
                    for fact in self.game.position().state {
                        writeln!(self.out, "  {fact}")?;
                    }
                }
                Request::Help => writeln!(self.out, "{HELP}")?,
                Request::Quit => {
                    writeln!(
                        self.out,
                        "You leave the match after {}.",
                        count_moves(self.game.moves_played())
                    )?;
                    return Ok(Choice::Leave);
                }
                Request::Unknown => {
                    writeln!(
                        self.out,
                        "`{}` is no legal move here: `moves` lists them, `help` helps.",
                        line.trim()
                    )?;
                }
            }
        }
    }

    fn list(&mut self, moves: &MoveList, some: &[&ListedMove]) -> io::Result<()> {
        let Screen { ink, width, .. } = self.screen;
        for line in menu(some, moves.is_numbered(), ink, width) {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    fn read_line(&mut self) -> io::Result<Option<String>> {
        let role = self.person.map_or("", |role| &self.roles[role]);
        write!(self.out, "{role}> ")?;
        self.out.flush()?;
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        if self.screen.echo {
            writeln!(self.out, "{line}")?;
        }
        Ok(Some(line))
    }

    /// Goes back to the person's previous choice, if there was one.
    fn undo(&mut self) -> Result<bool> {
        let Some(choice) = self.past.iter().rposition(|step| step.was_choice) else { return Ok(false) };
        let n_steps = self.past.len() - choice;
        for step in self.past.drain(choice..).rev() {
            self.game.undo()?;
            self.generator = step.generator;
        }
        if let Some(opponents) = &mut self.opponents {
            opponents.take_back(n_steps)?;
        }
        writeln!(self.out, "{} taken back.", count_moves(n_steps))?;
        Ok(true)
    }
}

pub(crate) fn count_moves(count: usize) -> String {
    format!("{count} move{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
#[path = "terminal_match_tests.rs"]
mod tests;
