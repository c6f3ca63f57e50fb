//! A picture for GraphViz.

use crate::program::{GroundProgram, Kind};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes a directed graph: atoms are nodes whose shape tells their kind, and filled if they hold in every
/// state. A rule is a point with edges from its conditions to its conclusion; an edge from a condition that
/// must not hold is dashed and ends in a circle.
pub fn write_dot(program: &GroundProgram, out: &mut impl Write) -> io::Result<()> {
    let (mut line, mut text) = (String::new(), String::new());
    out.write_all(b"digraph ground {\nrankdir=LR;\n")?;
    let mut facts = program.facts().iter().copied().peekable();
    for block in program.blocks() {
        let shape = shape(block.kind);
        for atom in block.atoms() {
            text.clear();
            program.write_atom(&mut text, atom);
            line.clear();
            push_node(&mut line, 'a', atom.index());
            line.push_str(" [label=\"");
            push_escaped(&mut line, &text);
            line.push_str("\",");
            line.push_str(shape);
            // Facts are in the order of atoms.
            if facts.next_if_eq(&atom).is_some() {
                line.push_str(",style=filled");
            }
            line.push_str("];\n");
            out.write_all(line.as_bytes())?;
        }
    }
    out.write_all(b"node [shape=point];\n")?;
    for (at, rule) in program.rules().enumerate() {
        line.clear();
        for literal in rule.body {
            push_node(&mut line, 'a', literal.atom().index());
            line.push_str(" -> ");
            push_node(&mut line, 'r', at);
            line.push_str(if literal.is_negative() { " [style=dashed,arrowhead=odot];\n" } else { ";\n" });
        }
        push_node(&mut line, 'r', at);
        line.push_str(" -> ");
        push_node(&mut line, 'a', rule.head.index());
        line.push_str(";\n");
        out.write_all(line.as_bytes())?;
    }
    out.write_all(b"}\n")
}

fn shape(kind: Kind) -> &'static str {
    match kind {
        Kind::True => "shape=box",
        Kind::Does => "shape=house",
        Kind::Next => "shape=box,peripheries=2",
        Kind::Legal => "shape=house,peripheries=2",
        Kind::Goal => "shape=diamond",
        Kind::Terminal => "shape=octagon",
        Kind::Derived => "shape=ellipse",
        Kind::Auxiliary => "shape=plaintext",
    }
}

fn push_node(line: &mut String, letter: char, number: usize) {
    write!(line, "{letter}{number}").expect("a string takes any text");
}

/// In labels a backslash begins an escape of GraphViz.
fn push_escaped(line: &mut String, text: &str) {
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            line.push('\\');
        }
        line.push(c);
    }
}
