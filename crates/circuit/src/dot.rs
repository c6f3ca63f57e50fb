//! The circuit as a graph for GraphViz.

use crate::circuit::Circuit;
use crate::wire::Wire;
use std::io::{self, Write};

/// Draws inputs by the names of fluents and moves, gates as `and`, negation as a dashed edge. Inputs that nothing
/// depends on are left out.
pub fn write_dot(out: &mut impl Write, circuit: &Circuit) -> io::Result<()> {
    let (net, signature) = (circuit.net(), circuit.signature());
    let inputs = net.inputs();
    let mut is_used = vec![false; net.len()];
    let operands = net.gates().flat_map(|gate| net.operands(gate)).copied();
    operands.chain(circuit.roots()).for_each(|wire| is_used[wire.node()] = true);

    out.write_all(b"digraph circuit {\nrankdir=LR;\n")?;
    if is_used[Wire::FALSE.node()] {
        writeln!(out, "n0 [label=\"false\",shape=plaintext];")?;
    }
    for (at, fluent) in signature.fluents.iter().enumerate().filter(|&(at, _)| is_used[inputs.fluent(at)]) {
        writeln!(out, "n{} [label=\"{}\",shape=box];", inputs.fluent(at), escaped(fluent))?;
    }
    for (at, a_move) in signature.moves.iter().enumerate().filter(|&(at, _)| is_used[inputs.a_move(at)]) {
        let text = escaped(&format!("{} {}", signature.role_names[a_move.role], a_move.text));
        writeln!(out, "n{} [label=\"{text}\",shape=house];", inputs.a_move(at))?;
    }
    for at in 0..inputs.n_loops {
        writeln!(out, "n{} [label=\"loop {at}\",shape=ellipse,style=bold];", inputs.a_loop(at))?;
    }
    for gate in net.gates() {
        writeln!(out, "n{gate} [label=\"and\",shape=circle];")?;
        for &operand in net.operands(gate) {
            write_edge(out, operand, &format!("n{gate}"))?;
        }
    }
    // What a loop becomes leads back to it.
    for (at, &wire) in circuit.loops().iter().enumerate() {
        write_edge(out, wire, &format!("n{}", inputs.a_loop(at)))?;
    }
    for (at, (fluent, &wire)) in signature.fluents.iter().zip(circuit.next()).enumerate() {
        write_output(out, &format!("next{at}"), &format!("next {fluent}"), "box", wire)?;
    }
    for (at, (a_move, &wire)) in signature.moves.iter().zip(circuit.legal()).enumerate() {
        let label = format!("legal {} {}", signature.role_names[a_move.role], a_move.text);
        write_output(out, &format!("legal{at}"), &label, "house", wire)?;
    }
    write_output(out, "terminal", "terminal", "octagon", circuit.terminal())?;
    for (role, goals) in circuit.goals().iter().enumerate() {
        for (at, goal) in goals.iter().enumerate() {
            let value = goal.value.map_or("?".to_owned(), |value| value.to_string());
            let label = format!("goal {} {value}", signature.role_names[role]);
            write_output(out, &format!("goal{role}_{at}"), &label, "diamond", goal.wire)?;
        }
    }
    out.write_all(b"}\n")
}

fn write_output(out: &mut impl Write, node: &str, label: &str, shape: &str, wire: Wire) -> io::Result<()> {
    writeln!(out, "{node} [label=\"{}\",shape={shape},peripheries=2];", escaped(label))?;
    write_edge(out, wire, node)
}

fn write_edge(out: &mut impl Write, from: Wire, to: &str) -> io::Result<()> {
    let style = if from.is_negated() { " [style=dashed,arrowhead=odot]" } else { "" };
    writeln!(out, "n{} -> {to}{style};", from.node())
}

/// In labels a backslash begins an escape of GraphViz.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;
    use senet_analysis::analyze;
    use senet_ground::{Options, ground};

    fn dot(text: &str) -> String {
        let description = senet_gdl::parse(text);
        let program = analyze(&description, false).program.expect("the rules are good");
        let ground = ground(&program, &Options::default(), &mut |_| ()).expect("the game is small");
        let mut out = Vec::new();
        write_dot(&mut out, &build(&ground.program).expect("it has a circuit"))
            .expect("memory can be written");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_lamp_is_drawn() {
        let text = dot("(role robot) (init off) (legal robot press) (legal robot wait)
             (<= (next on) (true on)) (<= (next on) (does robot press))
             (<= (next off) (true off) (not (does robot press)))
             (<= terminal (true on)) (<= (goal robot 100) (true on)) (<= (goal robot 0) (true off))");
        assert!(text.starts_with("digraph circuit {\n") && text.ends_with("}\n"), "{text}");
        for part in [
            "label=\"on\",shape=box]",
            "label=\"robot press\",shape=house]",
            "label=\"next off\"",
            "label=\"legal robot wait\"",
            "label=\"terminal\",shape=octagon",
            "label=\"goal robot 100\"",
            "style=dashed",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        // Every edge leads between nodes that are there.
        for edge in text.lines().filter(|line| line.contains(" -> ")) {
            let (from, rest) = edge.split_once(" -> ").expect("an edge");
            let to = rest.split([' ', ';']).next().expect("an end");
            for node in [from, to] {
                assert!(text.contains(&format!("\n{node} [label=")), "{node} of {edge} in {text}");
            }
        }
    }

    #[test]
    fn a_loop_leads_back_to_itself() {
        let text = dot("(role robot) (cell a) (cell b) (cell c) (edge a b) (edge b c) (edge c a) (edge b a)
             (<= (legal robot (mark ?c)) (cell ?c)) (<= (next (marked ?c)) (does robot (mark ?c)))
             (<= (next (marked ?c)) (true (marked ?c)))
             (<= (near ?c) (true (marked ?c))) (<= (near ?c) (edge ?d ?c) (near ?d) (not (true (marked c))))
             (<= terminal (near a) (near b) (near c)) (goal robot 50)");
        assert!(text.contains("label=\"loop 0\""), "{text}");
    }
}
