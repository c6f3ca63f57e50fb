//! `senet duel`: many matches between two players.

mod args;
mod jobs;
mod journal;
mod standing;

pub(crate) use args::DuelArgs;

use crate::contestant::{Contestant, check_addresses};
use crate::load::{Loaded, load};
use crate::matches::contest_error;
use crate::progress;
use crate::run::Answer;
use anyhow::{Context, Result, bail, ensure};
use indicatif::ProgressBar;
use journal::{Duel, Journal, Played};
use senet_game::derived_seed;
use senet_protocol::Record;
use senet_search::{Rules, Stop};
use senet_server::{Contest, Seat};
use standing::Standing;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A game of the duel.
struct Game {
    name: String,
    rules: Arc<Rules>,
    /// Other for other rules.
    number: u64,
}

/// A match that is to be played.
struct Fixture<'a> {
    game: &'a Game,
    at: u64,
}

/// How long an engine may be in the making before the first match, beyond the start clock.
const START_GRACE: Duration = Duration::from_secs(120);

pub(crate) fn run(args: &DuelArgs) -> Result<Answer> {
    let contestants = [&args.first, &args.second];
    let players = contestants.map(Contestant::to_string);
    check_players(contestants, args.jobs)?;
    let Some(games) = games(&args.games)? else { return Ok(Answer::No) };
    if let Some(remote) = contestants.into_iter().find(is_remote) {
        games.iter().try_for_each(|game| check_n_players(game, remote))?;
    }
    let duel = Duel {
        players: players.to_vec(),
        seconds: args.seconds.as_secs_f64(),
        start_clock: args.start_clock.as_secs_f64(),
        grace: args.grace.as_secs_f64(),
        seed: args.seed,
        most_moves: args.most_moves,
    };
    let journal = match &args.record {
        Some(path) => {
            open(path, &duel, &games).with_context(|| format!("cannot go on with {}", path.display()))?
        }
        None => Journal::default(),
    };
    let all = (0..args.matches).flat_map(|at| games.iter().map(move |game| Fixture { game, at }));
    let missing: Vec<Fixture> = all.filter(|next| !journal.has(&next.game.name, next.at)).collect();
    let n_games = games.len();
    let bar = progress::bar(args.matches as usize * n_games);
    bar.set_position((args.matches as usize * n_games - missing.len()) as u64);
    let journal = Mutex::new(journal);
    let ended = jobs::for_each(args.jobs, &missing, |fixture| add(&journal, play(args, fixture)?, &bar));
    bar.finish_and_clear();
    let journal = journal.into_inner().unwrap_or_else(PoisonError::into_inner);
    if ended.is_err() && journal.played.is_empty() {
        return ended.map(|()| Answer::No);
    }
    // What was played is told in any case, and then why it is not all.
    let answer = report(args, &games, &players, &journal);
    ended.and(answer)
}

fn is_remote(player: &&Contestant) -> bool {
    matches!(player, Contestant::Remote(_))
}

fn check_players(players: [&Contestant; 2], n_jobs: u16) -> Result<()> {
    ensure!(!players.contains(&&Contestant::Human), "a person plays in `senet match` and `senet play` only");
    if n_jobs > 1 && players.iter().any(is_remote) {
        bail!("a player behind an address plays one match at a time: leave `--jobs` out");
    }
    check_addresses(players)
}

/// In a game for more than two each side has several roles.
fn check_n_players(game: &Game, remote: &Contestant) -> Result<()> {
    ensure!(
        n_players(&game.rules) == 2,
        "`{}` is a game for more than two, in which {remote} would play several roles, and one player plays one role: \
         let one player a role play in `senet match`",
        game.name
    );
    Ok(())
}

fn n_players(rules: &Rules) -> usize {
    rules.role_names().iter().filter(|role| *role != "random").count()
}

fn open(path: &Path, duel: &Duel, games: &[Game]) -> Result<Journal> {
    let journal = Journal::open(path, duel)?;
    games.iter().try_for_each(|game| journal.check_rules(&game.name, game.number))?;
    Ok(journal)
}

/// Reads the games; none if one of them is refused.
fn games(asked: &[String]) -> Result<Option<Vec<Game>>> {
    let mut games: Vec<Game> = Vec::new();
    for game in asked {
        let Ok(Loaded { name, description, .. }) = load(game)? else { return Ok(None) };
        ensure!(games.iter().all(|other| other.name != name), "the game `{name}` is named twice");
        let number = number_of(&description.text);
        let rules = Rules::new(description)?;
        ensure!(n_players(&rules) >= 2, "`{name}` is a game for one: there is nobody to beat");
        games.push(Game { name, rules, number });
    }
    Ok(Some(games))
}

/// Adds a match to what was played.
fn add(journal: &Mutex<Journal>, played: Played, bar: &ProgressBar) -> Result<()> {
    let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
    journal.add(played)?;
    let mut standing = Standing::default();
    journal.played.iter().for_each(|played| standing.add(played));
    drop(journal);
    if let Some(score) = standing.score() {
        bar.set_message(format!("{:.1} %", score.value * 100.0));
    }
    bar.inc(1);
    Ok(())
}

fn play(args: &DuelArgs, Fixture { game, at }: &Fixture) -> Result<Played> {
    // Both matches of a pair have the same draws, so that luck is shared.
    let seed = derived_seed(derived_seed(args.seed, number_of(&game.name)), at / 2);
    let mut seats = Vec::new();
    let mut players = Vec::new();
    let mut n_players = 0;
    for (role, name) in game.rules.role_names().iter().enumerate() {
        if name == "random" {
            seats.push(Seat::Dice);
            players.push(None);
            continue;
        }
        let player = (n_players + *at as usize) % 2;
        n_players += 1;
        seats.push([&args.first, &args.second][player].seat(seed, role)?);
        players.push(Some(player));
    }
    let contest = Contest {
        rules: game.rules.clone(),
        game: game.name.clone(),
        seats,
        start_clock: args.start_clock,
        start_grace: START_GRACE,
        play_clock: args.seconds,
        grace: args.grace,
        ponder: false,
        scramble: false,
        seed,
        most_steps: args.most_moves,
        left: Stop::default(),
    };
    let begin = Instant::now();
    let record = contest.play(&mut |_| ControlFlow::Continue(())).map_err(contest_error)?;
    let contestants = players.iter().map(|&player| Some([&args.first, &args.second][player?]));
    for (role, contestant) in contestants.enumerate() {
        if let Some(Contestant::Remote(address)) = contestant {
            ensure!(
                !never_answered(&record, role),
                "the player at http://{address} never answered in a match of {}, which is not counted: start it \
                 and repeat this command",
                game.name
            );
        }
    }
    Ok(Played {
        game: game.name.clone(),
        rules: game.number,
        at: *at,
        errors: [0, 1].map(|player| n_errors(&record, &players, player)),
        seats: players,
        goals: record.goal_values,
        game_error: record.game_error,
        moves: record.moves,
        seconds: (begin.elapsed().as_secs_f64() * 1e3).round() / 1e3,
    })
}

/// A number for a text, other for other texts.
fn number_of(text: &str) -> u64 {
    text.bytes().fold(0, |number, byte| derived_seed(number, u64::from(byte)))
}

/// Whether nothing was heard of a role from START on: nobody was there. A player that dies in a match loses it; one that was
/// dead before plays none.
fn never_answered(record: &Record, role: usize) -> bool {
    let mut own = record.exchanges.iter().filter(|exchange| exchange.role == record.roles[role]);
    own.all(|exchange| exchange.received.as_deref().is_none_or(str::is_empty))
}

fn n_errors(record: &Record, players: &[Option<usize>], player: usize) -> u64 {
    let roles: Vec<usize> = (0..players.len()).filter(|&role| players[role] == Some(player)).collect();
    let steps = 1..=record.moves.len();
    steps.map(|step| roles.iter().filter(|&&role| record.error(step, role).is_some()).count() as u64).sum()
}

fn report(args: &DuelArgs, games: &[Game], players: &[String], journal: &Journal) -> Result<Answer> {
    let standings: Vec<Standing> = games.chunks(1).map(|game| standing(args, game, journal)).collect();
    let all = standing(args, games, journal);
    let named = || games.iter().map(|game| game.name.as_str()).zip(&standings);
    let mut out = io::stdout().lock();
    match args.json {
        true => {
            for (name, standing) in named() {
                writeln!(out, "{}", standing.json(Some(name), players))?;
            }
            writeln!(out, "{}", all.json(None, players))?;
        }
        false => {
            let whole = (games.len() > 1).then_some(("all", &all));
            writeln!(out, "{} against {}", players[0], players[1])?;
            writeln!(out, "{}", standing::table(named().chain(whole)))?;
        }
    }
    for (name, standing) in named() {
        if let Some(fault) = standing.fault() {
            // Nobody may be listening any more.
            let _ = writeln!(io::stderr(), "note: {name}: {fault}");
        }
    }
    let is_counted = standings.iter().all(Standing::is_counted);
    Ok(if is_counted { Answer::Yes } else { Answer::No })
}

/// The matches of these games that were asked for: a record may have more.
fn standing(args: &DuelArgs, games: &[Game], journal: &Journal) -> Standing {
    let mut standing = Standing::default();
    for played in &journal.played {
        if played.at < args.matches && games.iter().any(|game| game.name == played.game) {
            standing.add(played);
        }
    }
    standing
}
