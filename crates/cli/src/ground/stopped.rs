//! What is told of a game that was not grounded.

use super::GroundArgs;
use crate::excerpt::shorten;
use senet_ground::{Stop, Stopped, set_sha1};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Tells people why, what grew, what was complete and what to do.
pub(super) fn explain(out: &mut impl Write, game: &str, stopped: &Stopped) -> io::Result<()> {
    writeln!(out, "error: {game} was not grounded: {stopped}")?;
    write_sizes(out, "facts", "the largest relations", &stopped.relations)?;
    write_sizes(out, "instances", "the rule at work, then those with most instances", &stopped.rules)?;
    match stopped.base_input {
        Some((base, input)) => writeln!(out, "note: base ({base}) and input ({input}) are complete")?,
        None => writeln!(out, "note: base and input are not complete")?,
    }
    writeln!(out, "help: {}", help(&stopped.stop))
}

fn write_sizes(out: &mut impl Write, unit: &str, title: &str, sizes: &[(String, usize)]) -> io::Result<()> {
    if sizes.is_empty() {
        return Ok(());
    }
    writeln!(out, "{unit:>12}  {title}")?;
    for (what, size) in sizes {
        writeln!(out, "{size:>12}  {}", shorten(what))?;
    }
    Ok(())
}

fn help(stop: &Stop) -> &'static str {
    match stop {
        Stop::Time(_) => {
            "allow more with `--budget-seconds`, or play the game with `--engine reference`, which does not ground"
        }
        Stop::Memory(_) => {
            "allow more with `--budget-memory`, or play the game with `--engine reference`, which does not ground"
        }
        Stop::InfiniteTerms(_) | Stop::Capacity(_) | Stop::Negation(_) => {
            "no budget is enough; play the game with `--engine reference`, which does not ground"
        }
    }
}

/// The same for programs.
pub(super) fn json(args: &GroundArgs, game: &str, stopped: &Stopped) -> Value {
    let reason = match stopped.stop {
        Stop::Time(_) => "time",
        Stop::Memory(_) => "memory",
        Stop::InfiniteTerms(_) => "infinite terms",
        Stop::Capacity(_) => "capacity",
        Stop::Negation(_) => "negation",
    };
    let relations: Vec<_> =
        stopped.relations.iter().map(|(name, facts)| json!({"name": name, "facts": facts})).collect();
    let rules: Vec<_> =
        stopped.rules.iter().map(|(rule, instances)| json!({"rule": rule, "instances": instances})).collect();
    let sets = stopped.base_input.map(|sizes| (sizes, &stopped.sets));
    json!({
        "game": game,
        "mode": args.mode_name(),
        "method": args.method_name(),
        "stopped": {"reason": reason, "step": stopped.step, "relations": relations, "rules": rules},
        "base": sets.map(|((base, _), _)| base),
        "input": sets.map(|((_, input), _)| input),
        "base_sha1": sets.map(|(_, (base, _))| set_sha1(base)),
        "input_sha1": sets.map(|(_, (_, input))| set_sha1(input)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Arguments, Verb};
    use clap::Parser;

    fn stopped(is_complete: bool) -> Stopped {
        Stopped {
            stop: Stop::Memory(64 << 20),
            step: "rules",
            relations: vec![("line/4".into(), 123_456), ("cell/3".into(), 27)],
            rules: vec![("(<= (next ?x) (line ?x ?a ?b ?c))".into(), 98_765)],
            base_input: is_complete.then_some((2, 1)),
            sets: match is_complete {
                true => (vec!["(base off)".into(), "(base on)".into()], vec!["(input robot press)".into()]),
                false => (Vec::new(), Vec::new()),
            },
        }
    }

    #[test]
    fn people_read_why_and_what_to_do() {
        let mut out = Vec::new();
        explain(&mut out, "big", &stopped(true)).expect("memory can be written");
        assert_eq!(
            String::from_utf8(out).expect("text"),
            "error: big was not grounded: the 64 MB of the budget are used up, while finding rules
       facts  the largest relations
      123456  line/4
          27  cell/3
   instances  the rule at work, then those with most instances
       98765  (<= (next ?x) (line ?x ?a ?b ?c))
note: base (2) and input (1) are complete
help: allow more with `--budget-memory`, or play the game with `--engine reference`, which does not ground
"
        );
    }

    #[test]
    fn programs_read_sets_only_if_they_are_complete() {
        let arguments = Arguments::try_parse_from(["senet", "ground", "big", "--paper"]).expect("valid");
        let Verb::Ground(args) = arguments.verb else { panic!("{arguments:?}") };
        let complete = json(&args, "big", &stopped(true));
        assert_eq!(complete["mode"], "paper");
        assert_eq!(complete["stopped"]["reason"], "memory");
        assert_eq!(complete["base"], 2);
        assert_eq!(complete["base_sha1"], "644466efd1cc41042d9526a152288d19f4fc0115");
        let incomplete = json(&args, "big", &stopped(false));
        assert_eq!(incomplete["input"], Value::Null);
        assert_eq!(incomplete["input_sha1"], Value::Null);
    }
}
