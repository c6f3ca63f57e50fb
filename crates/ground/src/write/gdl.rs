//! A rulesheet that plays the same game.

use super::atom_texts::AtomTexts;
use crate::program::{GroundProgram, push_renamed};
use std::io::{self, Write};

/// Writes a rulesheet without variables, one clause a line: the roles in order, all of base and input, the
/// initial state, what holds in every state, the rules by stratum.
pub fn write_gdl(program: &GroundProgram, out: &mut impl Write) -> io::Result<()> {
    let texts = AtomTexts::new(program, |out, atom| program.write_atom(out, atom));
    let mut line = String::new();
    for &role in program.roles() {
        line.clear();
        line.push_str("(role ");
        program.terms().write(&mut line, program.symbols(), role);
        line.push_str(")\n");
        out.write_all(line.as_bytes())?;
    }
    let base = program.base().map(|fluent| ("base", fluent));
    let input = program.input().map(|does| ("input", does));
    let init = program.init().iter().map(|&fluent| ("init", fluent));
    for (name, atom) in base.chain(input).chain(init) {
        line.clear();
        push_renamed(&mut line, program, name, atom);
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    for &fact in program.facts() {
        line.clear();
        texts.push(&mut line, fact);
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    for rule in program.rules() {
        line.clear();
        line.push_str("(<= ");
        texts.push(&mut line, rule.head);
        for literal in rule.body {
            if literal.is_negative() {
                line.push_str(" (not ");
                texts.push(&mut line, literal.atom());
                line.push(')');
            } else {
                line.push(' ');
                texts.push(&mut line, literal.atom());
            }
        }
        line.push_str(")\n");
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}
