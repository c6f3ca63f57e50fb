//! Base and input as sorted facts, and the digests by which grounders compare them.

use super::{AtomId, GroundProgram};
use crate::lower::Lowered;
use senet_rules::RelId;
use senet_terms::TermId;
use sha1::{Digest, Sha1};

/// The facts of base, such as `(base (cell 1 1 b))`, sorted.
pub fn base_facts(program: &GroundProgram) -> Vec<String> {
    sorted_facts(program, "base", program.base())
}

/// The facts of input, such as `(input xplayer (mark 1 1))`, sorted.
pub fn input_facts(program: &GroundProgram) -> Vec<String> {
    sorted_facts(program, "input", program.input())
}

fn sorted_facts(program: &GroundProgram, name: &str, atoms: impl Iterator<Item = AtomId>) -> Vec<String> {
    let mut facts: Vec<_> = atoms
        .map(|atom| {
            let mut fact = String::new();
            push_renamed(&mut fact, program, name, atom);
            fact
        })
        .collect();
    facts.sort_unstable();
    facts
}

/// Appends the arguments of an atom under another name.
pub(crate) fn push_renamed(out: &mut String, program: &GroundProgram, name: &str, atom: AtomId) {
    out.push('(');
    out.push_str(name);
    for arg in program.args(atom) {
        out.push(' ');
        program.terms().write(out, program.symbols(), arg);
    }
    out.push(')');
}

/// Base and input before there is a ground program.
pub(crate) fn texts_of_tables(lowered: &Lowered) -> (Vec<String>, Vec<String>) {
    (texts_of(lowered, lowered.fluents, "base"), texts_of(lowered, lowered.moves, "input"))
}

/// The facts of a relation under another name, sorted.
pub(crate) fn texts_of(lowered: &Lowered, relation: RelId, name: &str) -> Vec<String> {
    let store = &lowered.store;
    let table = &store.tables[store.relations[relation.index()].table.index()];
    let text = |at: u32| {
        let mut fact = format!("({name}");
        for &term in table.row(at) {
            fact.push(' ');
            store.terms.write(&mut fact, &lowered.symbols, TermId::new(term as usize));
        }
        fact + ")"
    };
    let mut facts: Vec<String> = (0..table.len()).map(text).collect();
    facts.sort_unstable();
    facts
}

/// The SHA-1 of sorted facts joined by newlines, in hexadecimal digits.
///
/// ```
/// let facts = ["(base off)".to_owned(), "(base on)".to_owned()];
/// assert_eq!(senet_ground::set_sha1(&facts), "644466efd1cc41042d9526a152288d19f4fc0115");
/// ```
pub fn set_sha1(sorted_facts: &[String]) -> String {
    let mut digest = Sha1::new();
    for (at, fact) in sorted_facts.iter().enumerate() {
        if at > 0 {
            digest.update(b"\n");
        }
        digest.update(fact.as_bytes());
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
