//! The sizes of a ground game and the time it took.

use super::GroundArgs;
use super::measure::Measured;
use senet_ground::{Declared, Difference, base_facts, input_facts, set_sha1};
use serde::Serialize;
use std::fmt::Write;

/// What `--stats --json` prints, in this order.
#[derive(Serialize)]
pub(super) struct Stats<'a> {
    game: &'a str,
    mode: &'static str,
    method: &'static str,
    base: usize,
    input: usize,
    base_sha1: String,
    input_sha1: String,
    ground_rules: usize,
    dyn_facts: usize,
    body_literals: usize,
    mutex_groups: usize,
    seconds: StepSeconds,
    total_seconds: f64,
    bytes: usize,
    peak_rss_mb: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    declared: Option<DeclaredStats<'a>>,
}

#[derive(Serialize)]
struct StepSeconds {
    parse: f64,
    base_input: f64,
    rules: f64,
    simplify: f64,
}

#[derive(Serialize)]
struct DeclaredStats<'a> {
    base: Option<DifferenceStats<'a>>,
    input: Option<DifferenceStats<'a>>,
    is_closed: bool,
}

#[derive(Serialize)]
struct DifferenceStats<'a> {
    declared: usize,
    computed: usize,
    undeclared: usize,
    examples: &'a [String],
}

impl<'a> Stats<'a> {
    pub(super) fn new(args: &GroundArgs, game: &'a str, measured: &'a Measured) -> Stats<'a> {
        let program = &measured.grounding.program;
        let time = &measured.time;
        Stats {
            game,
            mode: args.mode_name(),
            method: args.method_name(),
            base: program.base().len(),
            input: program.input().len(),
            base_sha1: set_sha1(&base_facts(program)),
            input_sha1: set_sha1(&input_facts(program)),
            ground_rules: program.n_rules(),
            dyn_facts: program.facts().len(),
            body_literals: program.n_body_literals(),
            mutex_groups: program.mutex_groups().len(),
            seconds: StepSeconds {
                parse: microseconds(time.parse),
                base_input: microseconds(time.ground.base_input),
                rules: microseconds(time.ground.rules),
                simplify: microseconds(time.ground.simplify),
            },
            total_seconds: microseconds(time.total()),
            bytes: program.bytes(),
            peak_rss_mb: measured.peak_rss_mb,
            declared: DeclaredStats::new(&measured.declared),
        }
    }

    /// The same for people.
    pub(super) fn table(&self) -> String {
        let StepSeconds { parse, base_input, rules, simplify } = self.seconds;
        let megabytes = self.bytes as f64 / f64::from(1 << 20);
        let rows = [
            ("mode", format!("{}, {}", self.mode, self.method)),
            ("base", format!("{:<8} {}", self.base, self.base_sha1)),
            ("input", format!("{:<8} {}", self.input, self.input_sha1)),
            ("rules", format!("{}, with {} literals in their bodies", self.ground_rules, self.body_literals)),
            ("facts", format!("{} in every state", self.dyn_facts)),
            ("mutex groups", self.mutex_groups.to_string()),
            ("memory", format!("{megabytes:.1} MB{}", self.peak())),
            ("seconds", format!("{:.6} of processor time", self.total_seconds)),
            ("", format!("parse {parse:.6}, base and input {base_input:.6},")),
            ("", format!("rules {rules:.6}, simplify {simplify:.6}")),
        ];
        let mut text = format!("{}\n", self.game);
        for (title, value) in rows {
            writeln!(text, "  {title:<13} {value}").expect("a string takes any text");
        }
        text
    }

    fn peak(&self) -> String {
        self.peak_rss_mb.map_or(String::new(), |peak| format!("; the process {peak:.1} MB at its largest"))
    }
}

impl<'a> DeclaredStats<'a> {
    fn new(declared: &'a Declared) -> Option<DeclaredStats<'a>> {
        let Declared { base, input, is_closed } = declared;
        (base.is_some() || input.is_some()).then(|| DeclaredStats {
            base: base.as_ref().map(DifferenceStats::new),
            input: input.as_ref().map(DifferenceStats::new),
            is_closed: *is_closed,
        })
    }
}

impl<'a> DifferenceStats<'a> {
    fn new(difference: &'a Difference) -> DifferenceStats<'a> {
        let &Difference { declared, computed, undeclared, ref examples } = difference;
        DifferenceStats { declared, computed, undeclared, examples }
    }
}

/// Rounded: the clock tells no more.
fn microseconds(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}
