//! What `senet info` tells of the circuit.

use anyhow::{Result, bail};
use senet_circuit::{BuildError, Circuit, build, write_dot};
use senet_ground::{GroundProgram, Stopped};
use serde_json::{Value, json};
use std::io::{self, Write};

/// A larger drawing is a black square, if it is finished at all.
const MOST_DRAWN: usize = 2_000;

/// The circuit of a game that was grounded.
pub(crate) fn circuit_of(
    ground: &Result<GroundProgram, Box<Stopped>>,
) -> Option<Result<Circuit, BuildError>> {
    ground.as_ref().ok().map(build)
}

pub(crate) fn write(out: &mut impl Write, circuit: &Option<Result<Circuit, BuildError>>) -> io::Result<()> {
    let circuit = match circuit {
        Some(Ok(circuit)) => circuit,
        Some(Err(error)) => return writeln!(out, "  circuit     none: {error}"),
        None => return Ok(()),
    };
    let (gates, rules) = (circuit.net().n_gates(), circuit.n_ground_rules());
    writeln!(out, "  circuit     {gates} gates of {rules} ground rules")?;
    let (loops, blocks) = (circuit.loops().len(), circuit.blocks().len());
    if loops > 0 {
        writeln!(out, "  loops       {loops} in {blocks} block{}", if blocks == 1 { "" } else { "s" })?;
    }
    for size in circuit.sizes() {
        let (gates, pairs) = (size.gates, size.binary_gates);
        writeln!(out, "    {:<22} {gates:>9} gates, {pairs:>9} of two inputs", size.pass)?;
    }
    Ok(())
}

pub(crate) fn json(circuit: &Option<Result<Circuit, BuildError>>) -> Value {
    let circuit = match circuit {
        Some(Ok(circuit)) => circuit,
        Some(Err(error)) => return json!({"refused": error.to_string()}),
        None => return Value::Null,
    };
    let sizes = circuit
        .sizes()
        .iter()
        .map(|size| json!({"pass": size.pass, "gates": size.gates, "binary_gates": size.binary_gates}));
    json!({
        "gates": circuit.net().n_gates(),
        "ground_rules": circuit.n_ground_rules(),
        "loops": circuit.loops().len(),
        "blocks": circuit.blocks().len(),
        "passes": sizes.collect::<Vec<_>>(),
    })
}

/// The circuit as a graph for GraphViz.
pub(crate) fn draw(out: &mut impl Write, ground: Result<GroundProgram, Box<Stopped>>) -> Result<()> {
    let circuit = match ground {
        Ok(program) => build(&program),
        Err(stopped) => bail!("there is no circuit to draw: the game was not grounded: {stopped}"),
    };
    let circuit = match circuit {
        Ok(circuit) => circuit,
        Err(error) => bail!("there is no circuit to draw: {error}"),
    };
    let gates = circuit.net().n_gates();
    if gates > MOST_DRAWN {
        bail!(
            "{gates} gates are too many to draw, {MOST_DRAWN} are the most: draw a smaller board of the game, \
             or read the sizes with `senet info`"
        );
    }
    Ok(write_dot(out, &circuit)?)
}
