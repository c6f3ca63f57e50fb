//! `senet match`: one match between players of any kind, with a referee and a record.

mod args;
mod table;

pub(crate) use args::MatchArgs;
pub(crate) use table::shown;

use crate::contestant::Contestant;
use crate::load::{Loaded, load};
use crate::output_file::write_file;
use crate::play::{Person, seed_from_clock};
use crate::run::Answer;
use anyhow::{Context, Result, bail, ensure};
use senet_protocol::{Phase, Record, Referee};
use senet_search::{Rules, Stop};
use senet_server::{Contest, ContestError, Seat};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) fn run(args: &MatchArgs) -> Result<Answer> {
    let Ok(Loaded { name, description, .. }) = load(&args.game.game)? else { return Ok(Answer::No) };
    let rules = Rules::new(description)?;
    let seed = args.seed.unwrap_or_else(seed_from_clock);
    let left = Stop::default();
    let seats = seats(&rules, &args.roles, seed, &left, args.json)?;
    let contest = Contest {
        rules,
        game: name,
        seats,
        start_clock: args.start_clock,
        start_grace: args.grace,
        play_clock: args.play_clock,
        grace: args.grace,
        ponder: true,
        scramble: args.scramble,
        seed,
        most_steps: args.most_moves,
        left,
    };
    let mut saved = None;
    let mut failed = None;
    let mut n_shown = None;
    let record = contest.play(&mut |referee| {
        let mut shown = Ok(());
        if !args.json && n_shown != Some(referee.record().moves.len()) {
            n_shown = Some(referee.record().moves.len());
            shown = table::write_step(&mut io::stdout().lock(), referee.record());
        }
        let shown = shown
            .map_err(anyhow::Error::from)
            .and_then(|()| save(args.record.as_deref(), referee, &mut saved));
        match shown {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed.get_or_insert(error);
                ControlFlow::Break(())
            }
        }
    });
    let record = record.map_err(contest_error)?;
    if let Some(error) = failed {
        return Err(error);
    }
    let mut out = io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", record.to_json())?,
        false => table::write_end(&mut out, &record)?,
    }
    Ok(if record.is_completed { Answer::Yes } else { Answer::No })
}

/// What is wrong with the rules is told as everywhere.
pub(crate) fn contest_error(error: ContestError) -> anyhow::Error {
    match error {
        ContestError::Game(error) => error.into(),
        ContestError::Load(error) => error.into(),
        error => error.into(),
    }
}

/// How often a record is written while the match goes on.
const SAVING: Duration = Duration::from_secs(1);

/// Writes the record if it was not written a moment ago, and at the end in any case.
fn save(path: Option<&Path>, referee: &Referee, saved: &mut Option<Instant>) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    if referee.phase() != Phase::Over && saved.is_some_and(|saved| saved.elapsed() < SAVING) {
        return Ok(());
    }
    *saved = Some(Instant::now());
    write_record(path, referee.record())
}

fn write_record(path: &Path, record: &Record) -> Result<()> {
    let write = |file: &mut std::fs::File| file.write_all((record.to_json() + "\n").as_bytes());
    write_file(path, write).with_context(|| format!("cannot write {}", path.display()))
}

/// Who plays, in role order.
fn seats(
    rules: &Arc<Rules>,
    asked: &[(String, Contestant)],
    seed: u64,
    left: &Stop,
    is_quiet: bool,
) -> Result<Vec<Seat>> {
    let roles = rules.role_names();
    for (at, (name, _)) in asked.iter().enumerate() {
        let is_known = roles.iter().any(|role| role.eq_ignore_ascii_case(name));
        ensure!(is_known, "there is no role `{name}`: choose one of {}", roles.join(", "));
        let is_repeated = asked[..at].iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
        ensure!(!is_repeated, "the role `{name}` is played by two");
    }
    let n_people = asked.iter().filter(|(_, contestant)| *contestant == Contestant::Human).count();
    ensure!(n_people <= 1, "there is one terminal: only one role can be `human`");
    let mut seats = Vec::new();
    for (at, role) in roles.iter().enumerate() {
        let found = asked.iter().find(|(name, _)| name.eq_ignore_ascii_case(role));
        seats.push(match found {
            Some(_) if role == "random" => bail!("the role `random` is played by the referee"),
            None if role == "random" => Seat::Dice,
            None => bail!("who plays {role}? Add `--role {role}=SPEC`, for instance `--role {role}=random`"),
            Some((_, Contestant::Human)) => {
                let player = Person::at_the_terminal(left.clone(), is_quiet);
                Seat::Local { name: "human".to_owned(), player: Box::new(player), is_timed: false }
            }
            Some((_, contestant)) => contestant.seat(seed, at)?,
        });
    }
    Ok(seats)
}
