//! What every engine owes to every built-in game: the rules are well-formed and laid out, every play ends, the laws of
//! [`senet_game::check_laws`] hold, and a seed decides a play, whatever the words of the rulesheet.

use libtest_mimic::{Failed, Trial};
use senet_conformance::Game;
use senet_engines::library::BuiltIn;
use senet_game::{AnyEngine, AnyMatch, MoveGenerator, PlayoutOptions, Position, RoleId};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How many facts and moves, over all positions of all playouts, one test may look at.
const SIZE_OF_ALL_PLAYOUTS: usize = 15_000;
const FEWEST_PLAYOUTS: usize = 1;
const MOST_PLAYOUTS: usize = 200;

/// No built-in game lasts so long.
const LONGEST_PLAY: u64 = 2_000;

pub(crate) fn trials(games: &[Arc<Game>]) -> Vec<Trial> {
    let strict = |game: &Arc<Game>| {
        let (name, game) = (format!("strict/{}", game.built_in.name), game.clone());
        Trial::test(name, move || is_clean_and_laid_out(&game.built_in))
    };
    let mut all: Vec<Trial> = games.iter().map(strict).collect();
    all.extend(senet_conformance::trials("laws", games, keeps_the_laws));
    all.extend(senet_conformance::trials("ends", games, every_play_ends_and_a_seed_decides_it));
    all.extend(senet_conformance::trials("scrambled", games, words_do_not_matter));
    all
}

fn is_clean_and_laid_out(game: &BuiltIn) -> Result<(), Failed> {
    let description = senet_gdl::parse(&game.text);
    let analysis = senet_analysis::analyze(&description, true);
    let found: Vec<_> = analysis.lines(&description).collect();
    if !found.is_empty() {
        return Err(found.join("\n").into());
    }
    match senet_gdl::format(&game.text) == Some(game.text.clone()) {
        true => Ok(()),
        false => Err(format!("run `senet fmt --write games/{}/{}.kif`", game.family, game.name).into()),
    }
}

/// Many playouts of a quick game, few of a slow one. One play tells which it is, by what there is to look
/// at and not by the clock, so that the tests are the same on every machine.
fn n_playouts(engine: &Arc<dyn AnyEngine>) -> Result<usize, Failed> {
    let mut size = 0;
    let mut play = Play::new(engine, 1)?;
    while let Some((position, _)) = play.step()? {
        size += position.state.len() + position.legal.iter().map(Vec::len).sum::<usize>();
    }
    Ok((SIZE_OF_ALL_PLAYOUTS / size.max(1)).clamp(FEWEST_PLAYOUTS, MOST_PLAYOUTS))
}

fn keeps_the_laws(game: &Game, engine: &'static str) -> Result<(), Failed> {
    let engine = game.sheet.engine(engine)?;
    let playouts = n_playouts(&engine)?;
    Ok(engine.check_laws(&game.sheet.description.symbols, playouts as u32, 1)?)
}

fn every_play_ends_and_a_seed_decides_it(game: &Game, engine: &'static str) -> Result<(), Failed> {
    let engine = game.sheet.engine(engine)?;
    let count = n_playouts(&engine)? as u64;
    let options = PlayoutOptions { max_length: LONGEST_PLAY, ..PlayoutOptions::new(count, 2) };
    let statistics = engine.playouts(options)?;
    if statistics.cut > 0 {
        return Err(format!("{} of {count} plays go on after {LONGEST_PLAY} moves", statistics.cut).into());
    }
    if statistics.playouts != count || statistics.goal_counts.iter().any(|&goals| goals != count) {
        return Err(format!("not every play of {count} has goals: {statistics:?}").into());
    }
    let again = engine.playouts(options)?;
    if again != statistics {
        return Err(format!("the same seed gives\n{statistics:?}, then\n{again:?}").into());
    }
    Ok(())
}

fn words_do_not_matter(game: &Game, engine_name: &'static str) -> Result<(), Failed> {
    let engine = game.sheet.engine(engine_name)?;
    let originals: HashMap<_, _> =
        game.scrambled.names.iter().map(|(name, new)| (new.as_str(), name.as_str())).collect();
    let scrambled_engine = game.scrambled_sheet.engine(engine_name)?;
    let roles: Vec<_> =
        scrambled_engine.role_names().iter().map(|role| translated(role, &originals)).collect();
    if roles != engine.role_names() {
        return Err(format!("roles are {roles:?} when scrambled, not {:?}", engine.role_names()).into());
    }
    for seed in 0..FEWEST_PLAYOUTS as u64 {
        let mut plain = Play::new(&engine, seed)?;
        let mut renamed = Play::new(&scrambled_engine, seed)?;
        loop {
            let expected = plain.step()?;
            let found = renamed.step()?.map(|(position, joint)| {
                let joint = joint.iter().map(|text| translated(text, &originals)).collect();
                (translated_position(position, &originals), joint)
            });
            if found != expected {
                let at = plain.game.moves_played();
                return Err(
                    format!("seed {seed}, move {at}:\n{expected:?}\nwhen scrambled\n{found:?}").into()
                );
            }
            if expected.is_none() {
                break;
            }
        }
    }
    Ok(())
}

/// A random play, position by position.
struct Play {
    game: Box<dyn AnyMatch>,
    roles: Vec<String>,
    generator: MoveGenerator,
    ended: bool,
}

impl Play {
    fn new(engine: &Arc<dyn AnyEngine>, seed: u64) -> Result<Self, Failed> {
        let game = engine.clone().start()?;
        let roles = engine.role_names().to_vec();
        Ok(Self { game, roles, generator: MoveGenerator::new(seed), ended: false })
    }

    /// The position and the moves played in it, of every role in order; none in the last one.
    fn step(&mut self) -> Result<Option<(Position, Vec<String>)>, Failed> {
        if self.ended {
            return Ok(None);
        }
        let position = self.game.position();
        if position.terminal {
            self.ended = true;
            return Ok(Some((position, Vec::new())));
        }
        if self.game.moves_played() as u64 > LONGEST_PLAY {
            return Err(format!("a play goes on after {LONGEST_PLAY} moves").into());
        }
        let mut joint = Vec::new();
        for role in 0..self.roles.len() {
            joint.push(self.game.random_move(RoleId::new(role), &mut self.generator)?);
        }
        let moves: BTreeMap<_, _> = self.roles.iter().cloned().zip(joint.iter().cloned()).collect();
        self.game.play(&moves)?;
        Ok(Some((position, joint)))
    }
}

fn translated_position(position: Position, originals: &HashMap<&str, &str>) -> Position {
    let sorted = |texts: Vec<String>| {
        let mut texts: Vec<_> = texts.iter().map(|text| translated(text, originals)).collect();
        texts.sort_unstable();
        texts
    };
    Position {
        state: sorted(position.state),
        legal: position.legal.into_iter().map(sorted).collect(),
        terminal: position.terminal,
        goals: position.goals,
    }
}

/// The text with every word replaced by the one it stands for.
fn translated(text: &str, originals: &HashMap<&str, &str>) -> String {
    let words = text.split_inclusive(['(', ')', ' ']).map(|piece| {
        let word = piece.trim_end_matches(['(', ')', ' ']);
        let end = &piece[word.len()..];
        format!("{}{end}", originals.get(word).unwrap_or(&word))
    });
    words.collect()
}
