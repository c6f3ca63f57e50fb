//! States as bits, and as facts.

use crate::circuit::Circuit;
use crate::wire::Wire;
use rustc_hash::FxHashMap;

/// Reads and writes the states of a game. A state has a bit for each fluent, in words of 64.
#[derive(Clone, Debug)]
pub struct States {
    fluents: Vec<String>,
    by_text: FxHashMap<String, u32>,
    /// Fluents that hold in every state because the rulesheet says so.
    always: Vec<u32>,
    /// Fluents of the initial state that follow whatever is done.
    lasting: Vec<u32>,
    initial: Vec<u64>,
    /// Fluents that exclude each other, and whether always one of them holds.
    groups: Vec<(Vec<u32>, bool)>,
}

impl States {
    /// The states of a game.
    pub fn new(circuit: &Circuit) -> States {
        let signature = circuit.signature();
        let fluents = signature.fluents.clone();
        let mut initial = vec![0; fluents.len().div_ceil(64)];
        signature.init.iter().for_each(|&at| set(&mut initial, at as usize));
        let groups = circuit.exclusive_fluents();
        States {
            by_text: fluents.iter().cloned().zip(0..).collect(),
            fluents,
            always: signature.always.clone(),
            lasting: signature
                .init
                .iter()
                .copied()
                .filter(|&at| circuit.next()[at as usize] == Wire::TRUE)
                .collect(),
            initial,
            groups: groups
                .map(|(members, is_exactly_one)| (members.map(|at| at as u32).collect(), is_exactly_one))
                .collect(),
        }
    }

    /// How many words a state has.
    pub fn n_words(&self) -> usize {
        self.initial.len()
    }

    /// The state in which a match begins.
    pub fn initial(&self) -> &[u64] {
        &self.initial
    }

    /// What holds in a state, sorted bytewise.
    pub fn facts(&self, state: &[u64]) -> Vec<String> {
        let holds = |at: usize| {
            state[at / 64] >> (at % 64) & 1 == 1 || self.always.binary_search(&(at as u32)).is_ok()
        };
        let mut facts: Vec<String> = self
            .fluents
            .iter()
            .enumerate()
            .filter(|&(at, _)| holds(at))
            .map(|(_, text)| text.clone())
            .collect();
        facts.sort_unstable();
        facts
    }

    /// The state in which exactly these facts hold. Refuses facts that can never hold, and states that break what the
    /// circuit takes for granted.
    pub fn read(&self, facts: &[String]) -> Result<Vec<u64>, String> {
        let mut state = vec![0; self.n_words()];
        for fact in facts {
            let at = self.by_text.get(fact).ok_or_else(|| format!("`{fact}` never holds in this game"))?;
            set(&mut state, *at as usize);
        }
        let holds = |at: u32| state[at as usize / 64] >> (at % 64) & 1 == 1;
        if let Some(&missing) = self.always.iter().chain(&self.lasting).find(|&&at| !holds(at)) {
            return Err(format!("`{}` holds in every state of this game", self.fluents[missing as usize]));
        }
        for (members, is_exactly_one) in &self.groups {
            let mut holding = members.iter().filter(|&&at| holds(at)).map(|&at| &self.fluents[at as usize]);
            match (holding.next(), holding.next()) {
                (Some(one), Some(other)) => return Err(format!("`{one}` and `{other}` never hold together")),
                (None, _) if *is_exactly_one => {
                    let one = &self.fluents[members[0] as usize];
                    return Err(format!(
                        "in every state `{one}` holds or another of its {} alternatives",
                        members.len() - 1
                    ));
                }
                _ => {}
            }
        }
        Ok(state)
    }
}

fn set(state: &mut [u64], at: usize) {
    state[at / 64] |= 1 << (at % 64);
}
