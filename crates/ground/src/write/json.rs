//! One JSON object, for programs that do not read GDL.

use crate::program::{AtomId, GroundProgram, Lit};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes one JSON object:
///
/// ```json
/// {"roles": ["x", "o"],
///  "atoms": ["(true (cell 1 1 b))", "(does x (mark 1 1))", "(next (cell 1 1 x))"],
///  "base": [0], "input": [1], "init": [0], "facts": [],
///  "strata": [[0, 1]],
///  "rules": [[2, 1, -1]],
///  "mutex_groups": [{"exactly_one": true, "fluents": [0]}]}
/// ```
///
/// - `atoms`: the text of every atom. Everywhere else an atom is its place in this list, from 0.
/// - `base`, `input`: the fluents and the moves that can occur, as atoms of `true` and `does`.
/// - `init`: the fluents of the initial state. `facts`: the atoms that hold in every state.
/// - `strata`: the first rule of each stratum and the first after it. Taken one after the other, each until
///   nothing new follows, they derive what holds in a state.
/// - `rules`: the head, then the literals of the body: `n` says that atom `n` holds, `-n-1` that it does not.
/// - `mutex_groups`: fluents of which no two hold together in a state that can be reached and has not ended,
///   and whether always one of them does.
pub fn write_json(program: &GroundProgram, out: &mut impl Write) -> io::Result<()> {
    let mut text = String::new();
    out.write_all(b"{\"roles\":")?;
    write_array(out, "", program.roles(), |out, &role| {
        text.clear();
        program.terms().write(&mut text, program.symbols(), role);
        write_string(out, &text)
    })?;
    out.write_all(b",\n\"atoms\":")?;
    write_array(out, "\n", 0..program.n_atoms(), |out, atom| {
        text.clear();
        program.write_atom(&mut text, AtomId::new(atom));
        write_string(out, &text)
    })?;
    out.write_all(b",\n\"base\":")?;
    write_ids(out, program.base())?;
    out.write_all(b",\n\"input\":")?;
    write_ids(out, program.input())?;
    out.write_all(b",\n\"init\":")?;
    write_ids(out, program.init().iter().copied())?;
    out.write_all(b",\n\"facts\":")?;
    write_ids(out, program.facts().iter().copied())?;
    out.write_all(b",\n\"strata\":")?;
    write_array(out, "", program.strata(), |out, rules| write!(out, "[{},{}]", rules.start, rules.end))?;
    out.write_all(b",\n\"rules\":")?;
    write_array(out, "\n", program.rules(), |out, rule| {
        text.clear();
        text.push('[');
        push_number(&mut text, rule.head.index() as i64);
        for &literal in rule.body {
            text.push(',');
            push_number(&mut text, literal_number(literal));
        }
        text.push(']');
        out.write_all(text.as_bytes())
    })?;
    out.write_all(b",\n\"mutex_groups\":")?;
    write_array(out, "\n", program.mutex_groups(), |out, group| {
        write!(out, "{{\"exactly_one\":{},\"fluents\":", group.is_exactly_one)?;
        write_ids(out, group.fluents.iter().copied())?;
        out.write_all(b"}")
    })?;
    out.write_all(b"}\n")
}

fn literal_number(literal: Lit) -> i64 {
    let atom = literal.atom().index() as i64;
    if literal.is_negative() { !atom } else { atom }
}

fn push_number(text: &mut String, number: i64) {
    write!(text, "{number}").expect("a string takes any text");
}

fn write_string(out: &mut impl Write, text: &str) -> io::Result<()> {
    Ok(serde_json::to_writer(out, text)?)
}

fn write_ids(out: &mut impl Write, atoms: impl Iterator<Item = AtomId>) -> io::Result<()> {
    write_array(out, "", atoms, |out, atom| write!(out, "{}", atom.index()))
}

/// Writes the items in brackets, each after `before`.
fn write_array<T, W: Write>(
    out: &mut W,
    before: &str,
    items: impl IntoIterator<Item = T>,
    mut write_item: impl FnMut(&mut W, T) -> io::Result<()>,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            out.write_all(b",")?;
        }
        out.write_all(before.as_bytes())?;
        write_item(out, item)?;
    }
    out.write_all(b"]")
}
