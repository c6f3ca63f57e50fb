//! Grounding a text in memory once or more often, with the time of the fastest run.

use super::GroundArgs;
use super::peak::peak_rss_mb;
use super::watch::Watch;
use crate::game_source::GameSource;
use crate::load::tell_findings;
use anyhow::Result;
use senet_analysis::analyze;
use senet_gdl::parse_bytes;
use senet_ground::{Declared, Grounding, Seconds, Stopped, compare_declared, ground};
use senet_ids::thread_cpu_time;

/// A ground game and where the processor time went.
pub(super) struct Measured {
    pub(super) grounding: Grounding,
    pub(super) declared: Declared,
    pub(super) time: Time,
    /// Before anything is written or counted.
    pub(super) peak_rss_mb: Option<f64>,
}

/// Processor seconds of one run.
#[derive(Clone, Copy)]
pub(super) struct Time {
    /// From bytes to checked rules.
    pub(super) parse: f64,
    pub(super) ground: Seconds,
}

impl Time {
    pub(super) fn total(&self) -> f64 {
        let Seconds { base_input, rules, simplify } = self.ground;
        self.parse + base_input + rules + simplify
    }
}

/// Grounds a game as often as is asked. `None` if its rulesheet is refused; why was shown.
pub(super) fn measure(
    args: &GroundArgs,
    game: &str,
    source: &GameSource,
) -> Result<Option<Result<Measured, Box<Stopped>>>> {
    let mut measured: Option<Measured> = None;
    for _ in 0..args.repeat {
        // Gone before the next is made: two ground programs may not fit in memory.
        let fastest = measured.take().map(|measured| measured.time);
        let start = thread_cpu_time();
        let description = parse_bytes(&source.bytes);
        let analysis = analyze(&description, false);
        let parse = (thread_cpu_time() - start).as_secs_f64();
        if fastest.is_none() && tell_findings(Some(game), &source.origin, &description, &analysis)?.is_some()
        {
            return Ok(None);
        }
        let program = analysis.program.expect("a rulesheet that is not refused has a program");
        let mut watch = Watch::new();
        let outcome = ground(&program, &args.options(), &mut |progress| watch.show(progress));
        watch.finish();
        let mut grounding = match outcome {
            Ok(grounding) => grounding,
            Err(stopped) => return Ok(Some(Err(stopped))),
        };
        let time = Time { parse, ground: grounding.seconds };
        let time = fastest.filter(|fastest| fastest.total() <= time.total()).unwrap_or(time);
        let peak_rss_mb = peak_rss_mb();
        let declared = compare_declared(&program, &mut grounding.program, &args.options());
        measured = Some(Measured { grounding, declared, time, peak_rss_mb });
    }
    Ok(Some(Ok(measured.expect("a game is grounded at least once"))))
}
