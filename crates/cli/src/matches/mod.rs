//! `senet match`: one match between players of any kind, with a referee and a record.

mod args;
mod record_file;
mod screen;
mod table;

pub(crate) use args::MatchArgs;
pub(crate) use table::shown;

use crate::contestant::{Contestant, check_addresses};
use crate::load::{Loaded, load};
use crate::play::{Person, seed_from_clock};
use crate::run::Answer;
use anyhow::{Result, bail, ensure};
use record_file::RecordFile;
use screen::Screen;
use senet_protocol::{Phase, Referee};
use senet_search::{Rules, Stop};
use senet_server::{Contest, ContestError, Seat};
use std::ops::ControlFlow;
use std::sync::Arc;

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
    let mut file = RecordFile::new(args.record.as_deref());
    let mut screen = Screen::new(args.json);
    let watch = &mut |referee: &Referee| {
        // What is seen is saved.
        file.save(referee.record(), referee.phase() == Phase::Over);
        screen.step(referee.record());
        ControlFlow::Continue(())
    };
    let record = contest.play(watch).map_err(contest_error)?;
    screen.end(&record);
    file.finish()?;
    screen.finish()?;
    Ok(if record.is_completed { Answer::Yes } else { Answer::No })
}

/// What is wrong with the rules is told as everywhere.
pub(crate) fn contest_error(error: ContestError) -> anyhow::Error {
    match error {
        ContestError::Game(error) => error.into(),
        error => error.into(),
    }
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
    check_addresses(asked.iter().map(|(_, contestant)| contestant))?;
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
