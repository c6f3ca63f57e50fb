//! Known numbers of joint-move sequences.

use senet_game::PerftRow;

/// The counts of one depth, as far as they are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expected {
    /// The length of the sequences.
    pub depth: u32,
    /// How many sequences there are.
    pub nodes: u64,
    /// How many of them end the game, and how many positions they reach.
    pub terminals_and_distinct: Option<(u64, u64)>,
}

impl Expected {
    /// Whether the counts of an engine are these.
    pub fn agrees(&self, row: &PerftRow) -> bool {
        (self.depth, self.nodes) == (row.depth, row.nodes)
            && self.terminals_and_distinct.is_none_or(|known| known == (row.terminals, row.distinct))
    }
}

/// Reads lines of `depth nodes [terminals distinct]`, depths from 1 on without gaps; `#` begins a comment.
pub fn read_perft(text: &str) -> Result<Vec<Expected>, String> {
    let mut rows: Vec<Expected> = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let numbers: Result<Vec<u64>, _> = line.split_whitespace().map(str::parse).collect();
        let numbers = numbers.map_err(|error| format!("`{line}`: {error}"))?;
        let (depth, nodes, terminals_and_distinct) = match numbers[..] {
            [depth, nodes] => (depth, nodes, None),
            [depth, nodes, terminals, distinct] => (depth, nodes, Some((terminals, distinct))),
            _ => return Err(format!("`{line}`: expected `depth nodes [terminals distinct]`")),
        };
        if depth != rows.len() as u64 + 1 {
            return Err(format!("`{line}`: expected depth {}", rows.len() + 1));
        }
        rows.push(Expected { depth: rows.len() as u32 + 1, nodes, terminals_and_distinct });
    }
    if rows.is_empty() {
        return Err("there is no line with counts".into());
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_missing_columns() {
        let rows = read_perft("# whole\n1 20 0 20 # first\n\n2 400\n").unwrap();
        let columns: Vec<_> = rows.iter().map(|row| (row.nodes, row.terminals_and_distinct)).collect();
        assert_eq!(columns, [(20, Some((0, 20))), (400, None)]);
    }

    #[test]
    fn broken_files_are_refused() {
        for text in ["", "# none", "2 3", "1 2 3", "1 x", "1 2\n3 4"] {
            assert!(read_perft(text).is_err(), "{text}");
        }
    }
}
