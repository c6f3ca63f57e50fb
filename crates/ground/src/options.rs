//! What can be asked of the grounder, and what it answers besides the ground program.

use crate::program::GroundProgram;
use std::fmt;
use std::time::Duration;

/// How base and input are computed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Method {
    /// As the answers of one recursive program: section 4.2 of the paper.
    #[default]
    OneStep,
    /// Round by round from the initial state: section 4.1 of the paper.
    Iterative,
}

/// What the ground program is to contain.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Mode {
    /// The same game with as few rules as can be proved enough.
    #[default]
    Full,
    /// The same with dynamic conditions of rules as they are written, not split: more rules, which may have more in
    /// common.
    Unsplit,
    /// The instances the paper defines: all dynamic negation dropped, nothing simplified.
    Paper,
}

/// When to give up. `None` is no limit.
#[derive(Clone, Copy, Default, Debug)]
pub struct Budget {
    /// Of processor time.
    pub time: Option<Duration>,
    /// Of memory for facts and rules, in bytes.
    pub memory: Option<usize>,
}

/// What to do and how long to try.
#[derive(Clone, Copy, Default, Debug)]
pub struct Options {
    /// How base and input are computed.
    pub method: Method,
    /// What the ground program is to contain.
    pub mode: Mode,
    /// When to give up.
    pub budget: Budget,
}

/// How far the work has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The step that is being taken, such as `base and input`.
    pub step: &'static str,
    /// How many facts were found.
    pub facts: usize,
    /// How many rules were stored.
    pub rules: usize,
}

/// Processor time by step.
#[derive(Clone, Copy, Default, Debug)]
pub struct Seconds {
    /// Base and input, with the static facts.
    pub base_input: f64,
    /// The instances of the rules.
    pub rules: f64,
    /// What cannot fire left out, mutually exclusive fluents found.
    pub simplify: f64,
}

/// Declared facts of `base` or `input` beside the computed ones.
#[derive(Clone, Default, Debug)]
pub struct Difference {
    /// How many the rulesheet declares.
    pub declared: usize,
    /// How many can hold by the rules with negation dropped.
    pub computed: usize,
    /// How many were computed and are not declared.
    pub undeclared: usize,
    /// Some of these, as text.
    pub examples: Vec<String>,
}

/// What the rulesheet declares beside what was computed.
#[derive(Clone, Default, Debug)]
pub struct Declared {
    /// `base`, if the rulesheet has it.
    pub base: Option<Difference>,
    /// `input`, if the rulesheet has it.
    pub input: Option<Difference>,
    /// Whether nothing outside the declared sets can be reached: then they bound the ground program.
    pub is_closed: bool,
}

/// A ground game and how it was made.
#[derive(Clone, Debug)]
pub struct Grounding {
    /// The ground game.
    pub program: GroundProgram,
    /// Where the time went.
    pub seconds: Seconds,
}

/// Why grounding stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The time of the budget was used.
    Time(Duration),
    /// The memory of the budget was used: so many bytes.
    Memory(usize),
    /// Terms nest deeper and deeper: the relation whose facts do.
    InfiniteTerms(String),
    /// More than can be counted or joined: what there was too much of.
    Capacity(&'static str),
    /// A relation that is derived before play is negated before it is complete, or uses one that is.
    Negation(String),
}

/// A game that was not grounded, and what is known of it.
#[derive(Clone, Debug, thiserror::Error)]
pub struct Stopped {
    /// Why.
    pub stop: Stop,
    /// The step that was being taken.
    pub step: &'static str,
    /// The largest relations and how many facts they had.
    pub relations: Vec<(String, usize)>,
    /// The rule at work and those that gave the most, as text, and how many instances each had given.
    pub rules: Vec<(String, usize)>,
    /// How many base and input facts there are, if these sets were complete.
    pub base_input: Option<(usize, usize)>,
    /// Their texts, `(base …)` and `(input …)`, sorted; empty if they were not complete.
    pub sets: (Vec<String>, Vec<String>),
}

impl fmt::Display for Stopped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.stop {
            Stop::Time(time) => write!(out, "the {} s of the budget are used up", time.as_secs_f64())?,
            Stop::Memory(bytes) => write!(out, "the {} MB of the budget are used up", bytes >> 20)?,
            Stop::InfiniteTerms(relation) => write!(out, "the terms of `{relation}` nest without end")?,
            Stop::Capacity(what) => write!(out, "there are too many {what}")?,
            Stop::Negation(relation) => write!(
                out,
                "no order was proved in which relations that `{relation}` uses are complete before they are negated"
            )?,
        }
        write!(out, ", while finding {}", self.step)
    }
}
