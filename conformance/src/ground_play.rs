//! Play by the rules of a ground program, in the simplest way there is.

use crate::Grounded;
use libtest_mimic::Failed;
use senet_game::Position;
use senet_ground::{AtomId, GroundProgram, Kind};
use std::collections::{BTreeMap, HashMap};

/// A match on a ground program.
pub struct GroundPlay<'g> {
    program: &'g GroundProgram,
    role_names: Vec<String>,
    /// The facts of base by their text.
    fluents: BTreeMap<String, AtomId>,
    /// By role: its moves by their text.
    moves: Vec<BTreeMap<String, AtomId>>,
    state: Vec<AtomId>,
}

impl<'g> GroundPlay<'g> {
    /// A match at its beginning.
    pub fn new(grounded: &'g Grounded) -> GroundPlay<'g> {
        let program = &grounded.grounding.program;
        let arg_texts = |atom: AtomId| -> Vec<String> {
            let args = program.args(atom);
            args.map(|arg| program.term_text(arg)).collect()
        };
        let role_names: Vec<String> = program.roles().iter().map(|&role| program.term_text(role)).collect();
        let by_role: HashMap<&str, usize> = role_names.iter().map(String::as_str).zip(0..).collect();
        let mut moves = vec![BTreeMap::new(); role_names.len()];
        for does in program.input() {
            let [role, text]: [String; 2] = arg_texts(does).try_into().expect("`does` has two arguments");
            if let Some(&role) = by_role.get(role.as_str()) {
                moves[role].insert(text, does);
            }
        }
        let fluents = program.base().map(|fluent| (arg_texts(fluent).concat(), fluent)).collect();
        GroundPlay { program, fluents, moves, state: program.init().to_vec(), role_names: role_names.clone() }
    }

    /// The names of the roles, in order.
    pub fn role_names(&self) -> &[String] {
        &self.role_names
    }

    /// Back to the beginning.
    pub fn restart(&mut self) {
        self.state = self.program.init().to_vec();
    }

    /// What holds in the state, with these moves.
    fn model(&self, moves: &[AtomId]) -> Vec<bool> {
        let mut holds = vec![false; self.program.n_atoms()];
        let given = self.state.iter().chain(moves).chain(self.program.facts());
        given.for_each(|atom| holds[atom.index()] = true);
        for stratum in 0..self.program.strata().len() {
            let mut has_grown = true;
            while std::mem::take(&mut has_grown) {
                for rule in self.program.rules_of_stratum(stratum) {
                    let is_new = !holds[rule.head.index()];
                    if is_new && rule.body.iter().all(|lit| holds[lit.atom().index()] != lit.is_negative()) {
                        holds[rule.head.index()] = true;
                        has_grown = true;
                    }
                }
            }
        }
        holds
    }

    /// What there is to see.
    pub fn position(&self) -> Position {
        let holds = self.model(&[]);
        let holding = |kind: Kind| {
            let atoms = self.program.atoms_of(kind).filter(|&atom| holds[atom]);
            atoms.map(AtomId::new).collect::<Vec<_>>()
        };
        let terminal = !holding(Kind::Terminal).is_empty();
        let mut goals: Vec<Vec<Option<u8>>> = vec![Vec::new(); self.role_names.len()];
        for goal in holding(Kind::Goal) {
            let mut args = self.program.args(goal);
            let (role, value) = (args.next(), args.next());
            let role = self.program.roles().iter().position(|&known| Some(known) == role);
            let text = value.map(|value| self.program.term_text(value)).unwrap_or_default();
            if let Some(role) = role {
                goals[role].push(senet_gdl::goal_value(&text));
            }
        }
        let legal = self.moves.iter().map(|moves| {
            let is_legal = |does: AtomId| !terminal && holds[self.program.legal_of(does).index()];
            moves.iter().filter(|&(_, &does)| is_legal(does)).map(|(text, _)| text.clone()).collect()
        });
        let state = self.fluents.iter().filter(|(_, fluent)| holds[fluent.index()]);
        Position {
            state: state.map(|(text, _)| text.clone()).collect(),
            terminal,
            goals: goals
                .into_iter()
                .map(|values| if let [value] = values[..] { value } else { None })
                .collect(),
            legal: legal.collect(),
        }
    }

    /// Does the moves, by role.
    pub fn play(&mut self, moves: &BTreeMap<String, String>) -> Result<(), Failed> {
        let mut done = Vec::new();
        for (role, text) in moves {
            let role = self.role_names.iter().position(|name| name == role);
            let does = role.and_then(|role| self.moves[role].get(text));
            done.push(*does.ok_or_else(|| format!("`{text}` is not in input"))?);
        }
        let holds = self.model(&done);
        let follows = |fluent: &AtomId| holds[self.program.next_of(*fluent).index()];
        self.state = self.program.base().filter(follows).collect();
        Ok(())
    }
}
