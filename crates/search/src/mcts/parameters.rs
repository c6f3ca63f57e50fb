//! All that can be set about the search.

use crate::spec::canonical;

/// How the search thinks. Every field is an option of `mcts:…` under the same name.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    /// How many threads share the tree.
    pub threads: usize,
    /// The most playouts for a move, whatever the clock says.
    pub playouts: Option<u64>,
    /// Whether leaves are played by lanes, many at once. Without, the engine `circuit` plays one playout a leaf.
    pub batch: bool,
    /// The fewest lanes of a leaf: 8, 16, 32 or 64. Unless it is given, small games have more, for which the tree takes
    /// longer than the playouts. While the tree is small, leaves have 64; in small games, lanes that are left over play more
    /// of the same leaves.
    pub lanes: Option<usize>,
    /// How much is added for what is not known of a move: `c` times the square root of the logarithm of the visits of the
    /// position over those of the move, on the scale from 0 to 100. Unless it is given, less where leaves have many lanes and
    /// the tree is not large.
    pub c: Option<f32>,
    /// First-play urgency: what a move is expected to be worth before it is tried counts like so many visits.
    pub urgency: f32,
    /// Virtual loss: what a visit that is still under way takes from the value of a move, until its result is there.
    pub loss: f32,
    /// What is expected of moves that were not tried.
    pub shared: Shared,
    /// Whether values are proved.
    pub proofs: bool,
    /// The memory of the tree, in megabytes.
    pub memory: usize,
    /// Playouts, and lines of the tree, end after so many moves. Nothing is known of a position all of whose playouts do: it
    /// counts 50.
    pub length: u64,
    /// The share of moves that are tried blindly where several roles choose at once.
    pub blind: f32,
    /// What roles do, as far as it is known.
    pub models: Vec<Model>,
}

/// Move statistics that are shared across the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shared {
    /// Whichever predicts best in this game.
    Auto,
    /// A new move is expected to be worth what the position is.
    Off,
    /// What a move changed wherever it was played.
    Moves,
    /// What a move changed wherever it answered the same move.
    Replies,
}

/// A role whose policy is known: `model=ROLE/MOVE=CHANCE/…`.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// Who.
    pub role: String,
    /// How likely it plays a move, in proportion to the others that are legal. Moves that are not named are as likely as
    /// each other if none of those that are is legal.
    pub chances: Vec<(String, f32)>,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            threads: 1,
            playouts: None,
            batch: true,
            lanes: None,
            c: None,
            urgency: 1.0,
            loss: 10.0,
            shared: Shared::Auto,
            proofs: true,
            memory: 1_000,
            length: 1_000,
            blind: 0.1,
            models: Vec::new(),
        }
    }
}

impl Parameters {
    /// The names of the options.
    pub const NAMES: [&'static str; 13] = [
        "threads", "playouts", "batch", "lanes", "c", "urgency", "loss", "shared", "proofs", "memory",
        "length", "blind", "model",
    ];

    /// What the value of an option has to be.
    pub fn needs(name: &str) -> &'static str {
        match name {
            "batch" | "proofs" => "on or off",
            "threads" => "a whole number from 1 to 256",
            "playouts" | "memory" | "length" => "a whole number from 1",
            "lanes" => "8, 16, 32 or 64",
            "shared" => "auto, off, moves or replies",
            "model" => "ROLE/MOVE=CHANCE/…",
            _ => "a number from 0",
        }
    }

    /// Sets an option as people write it. `None` if there is none of that name or it cannot have that value.
    pub fn set(&mut self, name: &str, value: &str) -> Option<()> {
        let is_on = |value: &str| match value {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        };
        let number =
            |value: &str| value.parse().ok().filter(|number: &f32| *number >= 0.0 && number.is_finite());
        match name {
            "threads" => self.threads = value.parse().ok().filter(|n| (1..=256).contains(n))?,
            "playouts" => self.playouts = Some(value.parse().ok().filter(|n| *n > 0)?),
            "batch" => self.batch = is_on(value)?,
            "lanes" => self.lanes = Some(value.parse().ok().filter(|n| matches!(n, 8 | 16 | 32 | 64))?),
            "c" => self.c = Some(number(value)?),
            "urgency" => self.urgency = number(value)?.max(0.01),
            "loss" => self.loss = number(value)?,
            "shared" => self.shared = Shared::read(value)?,
            "proofs" => self.proofs = is_on(value)?,
            "memory" => self.memory = value.parse().ok().filter(|n| *n > 0)?,
            "length" => self.length = value.parse().ok().filter(|n| *n > 0)?,
            "blind" => self.blind = number(value)?.min(1.0),
            "model" => self.models.push(Model::read(value)?),
            _ => return None,
        }
        Some(())
    }
}

impl Shared {
    const NAMES: [(Shared, &str); 4] = [
        (Shared::Auto, "auto"),
        (Shared::Off, "off"),
        (Shared::Moves, "moves"),
        (Shared::Replies, "replies"),
    ];

    fn read(text: &str) -> Option<Shared> {
        Self::NAMES.iter().find(|(_, name)| *name == text).map(|&(shared, _)| shared)
    }
}

impl Model {
    fn read(text: &str) -> Option<Model> {
        let mut parts = text.split('/');
        let role = canonical(parts.next().filter(|role| !role.is_empty())?);
        let chance = |part: &str| {
            let (text, chance) = part.rsplit_once('=')?;
            let chance = chance.parse().ok().filter(|chance: &f32| *chance >= 0.0 && chance.is_finite())?;
            Some((canonical(text), chance))
        };
        Some(Model { role, chances: parts.map(chance).collect::<Option<_>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let text = "threads=2,playouts=10000,batch=off,lanes=16,c=12.5,urgency=2,loss=0,shared=replies,proofs=off,\
                    memory=64,length=99,blind=0.25,model=Robot/Rock=0.6/paper=0.4";
        let mut parameters = Parameters::default();
        for (option, known) in text.split(',').zip(Parameters::NAMES) {
            let (name, value) = option.split_once('=').expect("a value");
            assert_eq!((parameters.set(name, value), name), (Some(()), known), "{option}");
        }
        let model = Model {
            role: "robot".to_owned(),
            chances: vec![("rock".to_owned(), 0.6), ("paper".to_owned(), 0.4)],
        };
        let expected = Parameters {
            threads: 2,
            playouts: Some(10_000),
            batch: false,
            lanes: Some(16),
            c: Some(12.5),
            urgency: 2.0,
            loss: 0.0,
            shared: Shared::Replies,
            proofs: false,
            memory: 64,
            length: 99,
            blind: 0.25,
            models: vec![model],
        };
        assert_eq!(parameters, expected);
        for (name, value) in
            [("speed", "1"), ("threads", "0"), ("lanes", "12"), ("c", "-1"), ("c", "NaN"), ("c", "inf")]
        {
            assert_eq!(parameters.set(name, value), None, "{name}={value}");
        }
    }
}
