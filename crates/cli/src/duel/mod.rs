//! `senet duel`: many matches between two players.

mod args;
mod journal;
mod standing;

pub(crate) use args::DuelArgs;

use crate::contestant::Contestant;
use crate::load::{Loaded, load};
use crate::matches::contest_error;
use crate::progress;
use crate::run::Answer;
use anyhow::{Context, Result, bail, ensure};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use indicatif::ProgressBar;
use journal::{Duel, Journal, Played};
use senet_game::derived_seed;
use senet_protocol::Record;
use senet_search::{Rules, Stop};
use senet_server::{Contest, Seat};
use standing::{HEADER, Standing};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
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
    ensure!(
        !contestants.contains(&&Contestant::Human),
        "a person plays in `senet match` and `senet play` only"
    );
    let is_remote = |player: &Contestant| matches!(player, Contestant::Remote(_));
    if args.jobs > 1 && contestants.into_iter().any(is_remote) {
        bail!("a player behind an address plays one match at a time: leave `--jobs` out");
    }
    let Some(games) = games(&args.games)? else { return Ok(Answer::No) };
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
    play_all(args, &missing, &journal, &bar)?;
    bar.finish_and_clear();
    let journal = journal.into_inner().unwrap_or_else(PoisonError::into_inner);
    report(args, &games, &players, &journal)?;
    Ok(Answer::Yes)
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
        let n_players = rules.role_names().iter().filter(|role| *role != "random").count();
        ensure!(n_players >= 2, "`{name}` is a game for one: there is nobody to beat");
        games.push(Game { name, rules, number });
    }
    Ok(Some(games))
}

/// Plays what is missing, several matches at a time. The first error ends it; what was played is in the journal.
fn play_all(args: &DuelArgs, missing: &[Fixture], journal: &Mutex<Journal>, bar: &ProgressBar) -> Result<()> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<()> {
        while let Some(fixture) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
            let played = play(args, fixture).inspect_err(|_| next.store(missing.len(), Ordering::Relaxed))?;
            let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
            journal.add(played).inspect_err(|_| next.store(missing.len(), Ordering::Relaxed))?;
            let mut standing = Standing::default();
            journal.played.iter().for_each(|played| standing.add(played));
            drop(journal);
            if let Some(score) = standing.score() {
                bar.set_message(format!("{:.1} %", score.value * 100.0));
            }
            bar.inc(1);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let jobs: Vec<_> = (0..args.jobs).map(|_| scope.spawn(work)).collect();
        jobs.into_iter().try_for_each(|job| match job.join() {
            Ok(result) => result,
            Err(_) => bail!("a match panicked"),
        })
    })
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

/// Whether nobody was there from START to the last move. A player that dies in a match loses it; one that was dead before
/// plays none.
fn never_answered(record: &Record, role: usize) -> bool {
    (0..=record.moves.len()).all(|step| record.error(step, role) == Some("CE"))
}

fn n_errors(record: &Record, players: &[Option<usize>], player: usize) -> u64 {
    let roles: Vec<usize> = (0..players.len()).filter(|&role| players[role] == Some(player)).collect();
    let steps = 1..=record.moves.len();
    steps.map(|step| roles.iter().filter(|&&role| record.error(step, role).is_some()).count() as u64).sum()
}

fn report(args: &DuelArgs, games: &[Game], players: &[String], journal: &Journal) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(HEADER);
    for at in 1..HEADER.len() {
        table.column_mut(at).expect("it is in the header").set_cell_alignment(CellAlignment::Right);
    }
    let mut all = Standing::default();
    for game in games {
        let mut standing = Standing::default();
        let played =
            journal.played.iter().filter(|played| played.game == game.name && played.at < args.matches);
        for played in played {
            standing.add(played);
            all.add(played);
        }
        match args.json {
            true => writeln!(out, "{}", standing.json(Some(&game.name), players))?,
            false => drop(table.add_row(standing.cells(&game.name))),
        }
    }
    if args.json {
        writeln!(out, "{}", all.json(None, players))?;
        return Ok(());
    }
    if games.len() > 1 {
        table.add_row(all.cells("all"));
    }
    writeln!(out, "{} against {}", players[0], players[1])?;
    Ok(writeln!(out, "{table}")?)
}
