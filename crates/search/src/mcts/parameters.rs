//! All that can be set about the search.

use std::fmt;

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
    /// longer than the playouts. While the tree is small, leaves have 64.
    pub lanes: Option<usize>,
    /// How much is added for what is not known of a move: `c` times the square root of the logarithm of the visits of the
    /// position over those of the move, on the scale from 0 to 100. Unless it is given, less for leaves of many lanes.
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
    /// Playouts, and lines of the tree, end after so many moves.
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
    /// Sets an option as people write it. `None` if there is none of that name or it cannot have that value.
    pub fn set(&mut self, name: &str, value: &str) -> Option<()> {
        let is_on = |value: &str| match value {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        };
        let number = |value: &str| value.parse().ok().filter(|number: &f32| *number >= 0.0);
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

    fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(shared, _)| *shared == self).expect("all are there").1
    }
}

impl Model {
    fn read(text: &str) -> Option<Model> {
        let mut parts = text.split('/');
        let role = parts.next().filter(|role| !role.is_empty())?.to_owned();
        let chance = |part: &str| {
            let (text, chance) = part.rsplit_once('=')?;
            let chance = chance.parse().ok().filter(|chance: &f32| *chance >= 0.0 && chance.is_finite())?;
            Some((text.to_owned(), chance))
        };
        Some(Model { role, chances: parts.map(chance).collect::<Option<_>>()? })
    }
}

/// The options that are not as they are by themselves, as people write them.
impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Parameters::default();
        let on = |is_on: bool| if is_on { "on" } else { "off" }.to_owned();
        let mut options = Vec::new();
        let mut add = |name: &str, is_usual: bool, value: String| {
            if !is_usual {
                options.push(format!("{name}={value}"));
            }
        };
        let given = |value: Option<String>| value.unwrap_or_default();
        add("threads", self.threads == usual.threads, self.threads.to_string());
        add("playouts", self.playouts.is_none(), given(self.playouts.map(|n| n.to_string())));
        add("batch", self.batch == usual.batch, on(self.batch));
        add("lanes", self.lanes.is_none(), given(self.lanes.map(|n| n.to_string())));
        add("c", self.c.is_none(), given(self.c.map(|c| c.to_string())));
        add("urgency", self.urgency == usual.urgency, self.urgency.to_string());
        add("loss", self.loss == usual.loss, self.loss.to_string());
        add("shared", self.shared == usual.shared, self.shared.name().to_owned());
        add("proofs", self.proofs == usual.proofs, on(self.proofs));
        add("memory", self.memory == usual.memory, self.memory.to_string());
        add("length", self.length == usual.length, self.length.to_string());
        add("blind", self.blind == usual.blind, self.blind.to_string());
        for model in &self.models {
            let chances = model.chances.iter().map(|(text, chance)| format!("/{text}={chance}"));
            add("model", false, model.role.clone() + &chances.collect::<String>());
        }
        f.write_str(&options.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_written() {
        let text = "threads=2,playouts=10000,batch=off,lanes=16,c=12.5,urgency=2,loss=0,shared=replies,proofs=off,\
                    memory=64,length=99,blind=0.25,model=robot/rock=0.6/paper=0.4";
        let mut parameters = Parameters::default();
        for option in text.split(',') {
            let (name, value) = option.split_once('=').expect("a value");
            assert_eq!(parameters.set(name, value), Some(()), "{option}");
        }
        assert_eq!(parameters.to_string(), text);
        assert_eq!(Parameters::default().to_string(), "");
        for (name, value) in [("speed", "1"), ("threads", "0"), ("lanes", "12"), ("c", "-1"), ("c", "NaN")] {
            assert_eq!(parameters.set(name, value), None, "{name}={value}");
        }
    }
}
