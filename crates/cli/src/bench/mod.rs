//! `senet bench`

mod args;
mod clock;
mod outcome;
mod measure;
mod judge;
mod row;

pub(crate) use args::BenchArgs;

use crate::engine_names;
use crate::game_source::{self, GameSource};
use crate::load::{self, Loaded};
use crate::progress;
use crate::run::{Answer, is_about_the_game};
use anyhow::{Result, ensure};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use indicatif::ProgressBar;
use outcome::Verdict;
use row::{HEADER, NUMBERS, Played, Refused, Row};
use senet_analysis::analyze;
use senet_engines::{Purpose, Setup};
use senet_game::{AnyEngine, PlayoutOptions, PlayoutStatistics, derived_seed};
use senet_gdl::parse_bytes;
use senet_ids::thread_cpu_time;
use std::cell::OnceCell;
use std::io::Write;
use std::sync::Arc;

/// Which of the draws that a seed gives are the judge's.
const JUDGE_DRAWS: u64 = u64::MAX;

/// Setting up is repeated, like playing, until it has taken so long.
const MOST_SETUP_SECONDS: f64 = 1.0;

pub(crate) fn run(args: &BenchArgs) -> Result<Answer> {
    let engines = engines_to_measure(&args.engine)?;
    let is_named = !args.engine.iter().any(|name| name == "all");
    if args.judge != "none" {
        engine_names::check(&args.judge)?;
        ensure!(args.judge != "auto", "a judge has to be named: which engine is to be trusted?");
    }
    if args.no_temporization {
        let is_there = engines.iter().any(|name| name == "forward" || name == "auto");
        ensure!(is_there, "only the engine `forward` has temporization: name it with `--engine forward`");
    }
    if args.level.is_some() {
        let has_levels = engines.iter().any(|name| name == "lanes" || name == "auto");
        ensure!(has_levels, "only the engine `lanes` has levels: name it with `--engine lanes`");
    }
    if args.order.is_some() {
        let has_orders = engines.iter().any(|name| name == "tables");
        ensure!(has_orders, "only the engine `tables` has orders: name it with `--engine tables`");
    }
    let mut out = std::io::stdout();
    let bar = progress::bar(args.games.len() * engines.len());
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(HEADER);
    for at in NUMBERS {
        table.column_mut(at).expect("it is in the header").set_cell_alignment(CellAlignment::Right);
    }
    let mut remarks = Vec::new();
    let mut answer = Answer::Yes;
    for game in &args.games {
        let source = game_source::read(game)?;
        let Ok(loaded) = bar.suspend(|| load::accept(Some(game), &source))? else {
            bar.inc(engines.len() as u64);
            answer = Answer::No;
            continue;
        };
        let judging = Judging { args, loaded: &loaded, bar: &bar, played: OnceCell::new() };
        for name in &engines {
            bar.set_message(format!("{}, {name}", loaded.name));
            let row = Row {
                game: loaded.name.clone(),
                engine: name.clone(),
                result: bench(args, &source, name, &judging)?,
            };
            // Where every engine was asked, those that do not take the game are only told of.
            if !row.is_good() && (is_named || row.result.is_ok()) {
                answer = Answer::No;
            }
            if args.json {
                bar.suspend(|| writeln!(out, "{}", row.json()).and_then(|()| out.flush()))?;
            }
            table.add_row(row.cells());
            remarks.extend(row.remark());
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    if !args.json {
        table.lines().try_for_each(|line| writeln!(out, "{}", line.trim_end()))?;
        remarks.iter().try_for_each(|remark| writeln!(out, "{remark}"))?;
    }
    Ok(answer)
}

/// The engines to measure, each once.
fn engines_to_measure(asked: &[String]) -> Result<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for name in asked {
        let chosen = if name == "all" { engine_names::all().collect() } else { vec![name.clone()] };
        for name in chosen {
            engine_names::check(&name)?;
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Ok(names)
}

/// Everything about one game and one engine.
fn bench(
    args: &BenchArgs,
    source: &GameSource,
    name: &str,
    judging: &Judging<'_>,
) -> Result<Result<Played, Refused>> {
    let (engine, setup_seconds) = match set_up(args, source, name, judging.bar) {
        Ok(made) => made,
        Err(error) if is_about_the_game(&error) => return Ok(Err(Refused { why: format!("{error:#}") })),
        Err(error) => return Err(error),
    };
    let options = PlayoutOptions { threads: usize::from(args.threads), ..PlayoutOptions::new(1, args.seed) };
    let measured = match measure::measure(&*engine, options, args.seconds, args.repeat) {
        Ok(measured) => measured,
        Err(error) => return Ok(Err(Refused { why: error.to_string() })),
    };
    let roles = engine.role_names().to_vec();
    let (verdict, judge_playouts) = if engine.name() == args.judge {
        (Verdict::Judge, 0)
    } else {
        let judged = judging.playouts();
        let n_playouts = judged.as_ref().map_or(0, |judged| judged.playouts + judged.cut);
        (Verdict::new(&measured.played, judged.as_ref().map_err(String::as_str), &roles), n_playouts)
    };
    Ok(Ok(Played {
        engine: engine.name(),
        roles,
        setup_seconds,
        gates: engine.n_gates(),
        level: engine.level_name(),
        figures: engine.figures(),
        threads: usize::from(args.threads),
        measured,
        judge: args.judge.clone(),
        judge_playouts,
        verdict,
    }))
}

/// From the text in memory to an engine, and the fastest time that took.
fn set_up(
    args: &BenchArgs,
    source: &GameSource,
    name: &str,
    bar: &ProgressBar,
) -> Result<(Arc<dyn AnyEngine>, f64)> {
    let (mut fastest, mut total) = (f64::INFINITY, 0.0);
    let mut made: Option<(Arc<dyn AnyEngine>, Option<String>)> = None;
    for _ in 0..args.repeat {
        if total >= MOST_SETUP_SECONDS {
            break;
        }
        // Gone before the next is made: two may not fit in memory.
        drop(made.take());
        let start = thread_cpu_time();
        let description = parse_bytes(&source.bytes);
        let analysis = analyze(&description, false);
        let mut setup = Setup::new(&description).with_analysis(&analysis);
        if args.no_temporization {
            setup = setup.without_temporization();
        }
        if let Some(level) = args.level {
            setup = setup.at_level(level.into())?;
        }
        if let Some(order) = args.order {
            setup = setup.in_order(order.into());
        }
        let loaded = setup.load(name, Purpose::ManyPlayouts)?;
        let seconds = (thread_cpu_time() - start).as_secs_f64();
        fastest = fastest.min(seconds);
        total += seconds;
        made = Some((loaded.engine, loaded.note));
    }
    let (engine, note) = made.expect("it is made at least once");
    if let Some(note) = note {
        bar.suspend(|| load::tell_note(&note))?;
    }
    Ok((engine, fastest))
}

/// The judge of one game, who plays once for all engines, when the first of them needs it.
struct Judging<'a> {
    args: &'a BenchArgs,
    loaded: &'a Loaded,
    bar: &'a ProgressBar,
    played: OnceCell<Result<PlayoutStatistics, String>>,
}

impl Judging<'_> {
    /// The playouts of the judge, or why there are none.
    fn playouts(&self) -> &Result<PlayoutStatistics, String> {
        self.played.get_or_init(|| {
            let BenchArgs { judge: name, judge_seconds: seconds, seed, threads, .. } = self.args;
            if name == "none" {
                return Err("no judge was asked".to_owned());
            }
            self.bar.set_message(format!("{}, {name} as judge", self.loaded.name));
            let engine =
                self.loaded.engine_for(name, Purpose::ManyPlayouts).map_err(|error| format!("{error:#}"))?;
            let options = PlayoutOptions {
                threads: usize::from(*threads),
                ..PlayoutOptions::new(1, derived_seed(*seed, JUDGE_DRAWS))
            };
            let played = judge::judge(&*engine, options, *seconds).map_err(|error| error.to_string())?;
            played.ok_or_else(|| {
                let fewest = outcome::FEWEST_PLAYOUTS;
                format!(
                    "{name} does not play {fewest} playouts in {seconds} s: allow more with `--judge-seconds`"
                )
            })
        })
    }
}
