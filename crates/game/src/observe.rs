//! What kind of game it is, as far as random play shows.

use crate::{Engine, GameError, MoveGenerator, roles};

/// What was seen in some positions of random play.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Observations {
    /// Positions that were not terminal.
    pub positions: u64,
    /// Playouts that reached their end.
    pub finished: u64,
    /// Moves of the playouts that reached their end.
    pub finished_length: u64,
    /// Positions in which no role, one role, and more than one role had a choice.
    pub choosers: [u64; 3],
    /// By role: the largest number of legal moves.
    pub most_moves: Vec<usize>,
    /// By role: all legal moves of all positions.
    pub total_moves: Vec<u64>,
    /// The largest number of facts that held at once.
    pub most_facts: usize,
}

impl Observations {
    /// In words: single player, turn-taking, simultaneous or mixed.
    pub fn kind(&self) -> &'static str {
        let [_, one, several] = self.choosers;
        match (self.most_moves.len(), one, several) {
            (1, ..) => "single player",
            (_, _, 0) => "turn-taking",
            (_, 0, _) => "simultaneous",
            _ => "mixed: turns and simultaneous moves",
        }
    }
}

/// Plays random matches until so many positions were seen, and at least one match ended or was given up.
pub fn observe<E: Engine>(
    engine: &E,
    worker: &mut E::Worker,
    positions: u64,
    seed: u64,
) -> Result<Observations, GameError> {
    let n_roles = engine.role_names().len();
    let mut seen = Observations {
        most_moves: vec![0; n_roles],
        total_moves: vec![0; n_roles],
        ..Observations::default()
    };
    let mut generator = MoveGenerator::new(seed);
    let initial = engine.initial(worker)?;
    let mut moves = Vec::new();
    let mut joint = Vec::new();
    while seen.positions < positions {
        let mut state = initial.clone();
        let mut length = 0;
        while seen.positions < positions && !engine.is_terminal(worker, &state)? {
            joint.clear();
            let mut choosers = 0;
            for role in roles(engine) {
                engine.legals(worker, &state, role, &mut moves)?;
                let Some(choice) = generator.choose(&moves) else {
                    return Err(GameError::no_legal_move(engine, worker, &state, role));
                };
                choosers += usize::from(moves.len() > 1);
                seen.most_moves[role.index()] = seen.most_moves[role.index()].max(moves.len());
                seen.total_moves[role.index()] += moves.len() as u64;
                joint.push(choice);
            }
            seen.choosers[choosers.min(2)] += 1;
            seen.positions += 1;
            length += 1;
            seen.most_facts = seen.most_facts.max(engine.facts(worker, &state).len());
            state = engine.step(worker, &state, &joint)?;
        }
        if engine.is_terminal(worker, &state)? {
            seen.finished += 1;
            seen.finished_length += length;
        }
        if length == 0 {
            // The initial position is terminal: there is nothing more to see.
            break;
        }
    }
    Ok(seen)
}
