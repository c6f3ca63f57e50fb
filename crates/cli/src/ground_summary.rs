//! What `senet info` tells of the ground game.

use senet_analysis::Program;
use senet_ground::{AtomId, Budget, GroundProgram, MutexGroup, Options, Stopped, ground};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::time::Duration;

/// A person waits for this.
const BUDGET: Budget = Budget { time: Some(Duration::from_secs(10)), memory: Some(2 << 30) };

/// Exclusive groups of fluents of one name and one size.
struct Kind<'a> {
    name: String,
    first: &'a MutexGroup,
    count: usize,
}

pub(crate) fn ground_within_budget(program: &Program) -> Result<GroundProgram, Box<Stopped>> {
    let options = Options { budget: BUDGET, ..Options::default() };
    Ok(ground(program, &options, &mut |_| ())?.program)
}

pub(crate) fn write(out: &mut impl Write, ground: &Result<GroundProgram, Box<Stopped>>) -> io::Result<()> {
    let program = match ground {
        Ok(program) => program,
        Err(stopped) => return writeln!(out, "  ground      not grounded: {stopped}"),
    };
    let (base, input, rules) = (program.base().len(), program.input().len(), program.n_rules());
    writeln!(out, "  ground      {base} fluents, {input} moves, {rules} rules")?;
    for Kind { name, first, count } in kinds(program) {
        let how = if first.is_exactly_one { "exactly one" } else { "at most one" };
        let groups = if count == 1 { "group".to_owned() } else { format!("{count} groups") };
        let size = first.fluents.len();
        let example: Vec<String> =
            first.fluents.iter().take(2).map(|&fluent| text(program, fluent)).collect();
        let more = if size > 2 { " …" } else { "" };
        writeln!(out, "  {how} {groups} of {size} {name}: {}{more}", example.join(" "))?;
    }
    Ok(())
}

pub(crate) fn json(ground: &Result<GroundProgram, Box<Stopped>>) -> Value {
    let program = match ground {
        Ok(program) => program,
        Err(stopped) => return json!({"stopped": stopped.to_string()}),
    };
    let groups = program.mutex_groups().iter().map(|group| {
        let fluents: Vec<String> = group.fluents.iter().map(|&fluent| text(program, fluent)).collect();
        json!({"exactly_one": group.is_exactly_one, "fluents": fluents})
    });
    json!({
        "base": program.base().len(),
        "input": program.input().len(),
        "rules": program.n_rules(),
        "mutex_groups": groups.collect::<Vec<_>>(),
    })
}

fn text(program: &GroundProgram, fluent: AtomId) -> String {
    let mut text = String::new();
    for term in program.args(fluent) {
        program.terms().write(&mut text, program.symbols(), term);
    }
    text
}

/// The groups, like ones counted.
fn kinds(program: &GroundProgram) -> Vec<Kind<'_>> {
    let mut kinds: Vec<Kind<'_>> = Vec::new();
    for group in program.mutex_groups() {
        let Some(&fluent) = group.fluents.first() else { continue };
        let Some(term) = program.args(fluent).next() else { continue };
        let name = program.symbols().name(program.terms().parts(term).0);
        let is_like = |kind: &&mut Kind<'_>| {
            kind.name == name
                && kind.first.fluents.len() == group.fluents.len()
                && kind.first.is_exactly_one == group.is_exactly_one
        };
        match kinds.iter_mut().find(is_like) {
            Some(kind) => kind.count += 1,
            None => kinds.push(Kind { name: name.to_owned(), first: group, count: 1 }),
        }
    }
    kinds
}
