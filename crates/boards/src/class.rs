//! The kinds of drawings.

use serde::Serialize;

/// The kind of drawing of a game, with the names used in `drawing.class`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// No board: positions are lists of facts.
    #[default]
    None,
    /// One board of squares.
    Grid,
    /// Several boards side by side.
    SeveralBoards,
    /// Boards whose squares hold numbers.
    Numbers,
    /// A board with walls between squares, or lines along them.
    WallsEdges,
    /// A three-dimensional board, drawn slice by slice.
    Slices,
}

impl Class {
    /// Every class.
    pub const ALL: [Class; 6] =
        [Class::None, Class::Grid, Class::SeveralBoards, Class::Numbers, Class::WallsEdges, Class::Slices];

    /// The name of the class, as in `drawing.class`.
    pub fn name(self) -> &'static str {
        match self {
            Class::None => "none",
            Class::Grid => "grid",
            Class::SeveralBoards => "several-boards",
            Class::Numbers => "numbers",
            Class::WallsEdges => "walls-edges",
            Class::Slices => "slices",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_json() {
        for class in Class::ALL {
            assert_eq!(serde_json::to_value(class).expect("a name"), class.name());
        }
    }
}
