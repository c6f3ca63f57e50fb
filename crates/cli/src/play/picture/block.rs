//! Pieces of text that can stand side by side.

/// Space between two blocks.
const GAP: usize = 4;

/// A line of text with marks for emphasis, which take no space.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) width: usize,
}

impl Line {
    /// Adds text that is `width` characters wide on the screen.
    pub(super) fn push(&mut self, text: &str, width: usize) {
        self.text.push_str(text);
        self.width += width;
    }
}

pub(super) type Block = Vec<Line>;

fn width(block: &Block) -> usize {
    block.iter().map(|line| line.width).max().unwrap_or(0)
}

/// Sets blocks side by side as far as they fit, then below, with an empty line between.
pub(super) fn arrange(blocks: &[Block], max_width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = blocks;
    while !rest.is_empty() {
        let mut taken = 1;
        let mut total = width(&rest[0]);
        while let Some(next) = rest.get(taken).map(width).filter(|next| total + GAP + next <= max_width) {
            total += GAP + next;
            taken += 1;
        }
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(side_by_side(&rest[..taken]));
        rest = &rest[taken..];
    }
    lines
}

fn side_by_side(blocks: &[Block]) -> Vec<String> {
    let height = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let line = |at: usize| {
        let (mut text, mut missing) = (String::new(), 0);
        for block in blocks {
            let part = block.get(at).cloned().unwrap_or_default();
            if part.width > 0 {
                text.push_str(&" ".repeat(missing));
                text.push_str(&part.text);
                missing = 0;
            }
            missing += width(block) - part.width + GAP;
        }
        text.trim_end().to_owned()
    };
    (0..height).map(line).collect()
}
