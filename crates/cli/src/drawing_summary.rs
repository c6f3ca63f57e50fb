//! The lines of `senet info` about the drawing of positions.

use senet_boards::{Layout, Shape};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The class of the drawing and the shapes of its boards.
pub(crate) fn json(layout: &Layout) -> Value {
    json!({ "class": layout.class(), "boards": layout.shapes() })
}

/// A line for the class, and one for each shape of boards.
pub(crate) fn write(out: &mut impl Write, layout: &Layout) -> io::Result<()> {
    writeln!(out, "  drawing     {}", layout.class().name())?;
    for shape in layout.shapes() {
        writeln!(out, "              {}", line(&shape))?;
    }
    Ok(())
}

fn line(Shape { relations, columns, rows, boards }: &Shape) -> String {
    let many = if *boards == 1 { String::new() } else { format!("{boards} boards of ") };
    format!("{many}{} by {} squares from {}", columns.len(), rows.len(), relations.join(", "))
}
