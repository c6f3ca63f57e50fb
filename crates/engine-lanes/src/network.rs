//! Everything a step of all lanes computes, as gates.

use crate::choice::{count, minus_one, select};
use crate::logic::Logic;
use senet_circuit::{Choices, Circuit, Does, Step, Wire, steps};

/// The gates of a step, and which of them mean what.
pub(crate) struct Network {
    pub(crate) logic: Logic,
    /// The state before.
    pub(crate) fluents: Vec<Wire>,
    /// Moves given from outside; empty in random play.
    pub(crate) moves: Vec<Wire>,
    /// By group of moves to draw from: the bits of the drawn rank, given from outside.
    pub(crate) ranks: Vec<Vec<Wire>>,
    /// Atoms that depend on themselves: the value, and what it becomes.
    pub(crate) loops: Vec<(Wire, Wire)>,
    pub(crate) terminal: Wire,
    /// Whether a role has no legal move.
    pub(crate) stuck: Wire,
    pub(crate) legal: Vec<Wire>,
    /// By group: the number of moves to draw from, less one.
    pub(crate) last_ranks: Vec<Vec<Wire>>,
    pub(crate) next: Vec<Wire>,
    pub(crate) goals: Vec<Vec<(Option<u8>, Wire)>>,
}

impl Network {
    /// Random play: moves are drawn.
    pub(crate) fn of_random_play(circuit: &Circuit, choices: &Choices) -> Network {
        let mut import = Import::new(circuit);
        let leaves: Vec<Vec<Wire>> = choices.groups.iter().map(|leaves| import.all(leaves)).collect();
        let stuck = import.wire(choices.stuck);
        let mut network = import.without_moves(stuck);
        let mut selected = Vec::new();
        for leaves in &leaves {
            let logic = &mut import.logic;
            let (tree, n_legal) = count(logic, leaves);
            let (mut last_rank, is_none) = minus_one(logic, &n_legal);
            network.stuck = logic.or(network.stuck, is_none);
            last_rank.truncate((usize::BITS - (leaves.len() - 1).leading_zeros()) as usize);
            let rank: Vec<Wire> = last_rank.iter().map(|_| logic.input()).collect();
            selected.push(select(logic, &tree, &rank));
            network.ranks.push(rank);
            network.last_ranks.push(last_rank);
        }
        let conditions = choices.does.iter().flat_map(|how| match *how {
            Does::Forced(wire) => [wire; 2],
            Does::Drawn { gate, forced, .. } => [gate, forced],
        });
        import.all(&conditions.collect::<Vec<_>>());
        let does: Vec<Wire> = choices
            .does
            .iter()
            .map(|how| match *how {
                Does::Forced(wire) => import.now(wire),
                Does::Drawn { group, leaf, gate, forced } => {
                    let (gate, forced) = (import.now(gate), import.now(forced));
                    let drawn = import.logic.and(selected[group][leaf], gate);
                    import.logic.or(drawn, forced)
                }
            })
            .collect();
        import.finish(network, &does)
    }

    /// Lets lanes stay where they are when their match is over.
    pub(crate) fn freeze_terminal(&mut self) {
        for (next, &fluent) in self.next.iter_mut().zip(&self.fluents) {
            *next = self.logic.mux(self.terminal, fluent, *next);
        }
    }

    /// All wires that are asked from outside of the gates, by blocks too.
    pub(crate) fn outputs(&self) -> Vec<Wire> {
        let goals = self.goals.iter().flatten().map(|&(_, wire)| wire);
        let ranks = self.last_ranks.iter().flatten();
        let becomes = self.loops.iter().map(|(_, new)| new);
        let for_blocks = self.logic.blocks().iter().flat_map(|block| &block.operands);
        let many = self.legal.iter().chain(&self.next).chain(ranks).chain(becomes).chain(for_blocks);
        many.copied().chain(goals).chain([self.terminal, self.stuck]).collect()
    }

    /// Play with moves from outside.
    pub(crate) fn of_given_moves(circuit: &Circuit) -> Network {
        let mut import = Import::new(circuit);
        let mut network = import.without_moves(Wire::FALSE);
        network.legal = import.all(circuit.legal());
        let moves: Vec<Wire> = circuit.legal().iter().map(|_| import.logic.input()).collect();
        network.moves = moves.clone();
        import.finish(network, &moves)
    }
}

/// Gates of many operands as gates of two.
struct Import<'c> {
    circuit: &'c Circuit,
    logic: Logic,
    /// By node of the circuit.
    known: Vec<Option<Wire>>,
    fluents: Vec<Wire>,
    loops: Vec<Wire>,
}

impl<'c> Import<'c> {
    fn new(circuit: &'c Circuit) -> Import<'c> {
        let inputs = circuit.net().inputs();
        let mut logic = Logic::new();
        let mut known = vec![None; circuit.net().len()];
        known[0] = Some(Wire::FALSE);
        let fluents: Vec<Wire> = (0..inputs.n_fluents).map(|_| logic.input()).collect();
        let loops: Vec<Wire> = (0..inputs.n_loops).map(|_| logic.input()).collect();
        fluents.iter().enumerate().for_each(|(at, &wire)| known[inputs.fluent(at)] = Some(wire));
        loops.iter().enumerate().for_each(|(at, &wire)| known[inputs.a_loop(at)] = Some(wire));
        Import { circuit, logic, known, fluents, loops }
    }

    fn all(&mut self, wires: &[Wire]) -> Vec<Wire> {
        let (steps, blocks) = steps(self.circuit, wires.iter().copied());
        let inner = |block: usize| blocks[block].as_ref().map_or(&[][..], |cyclic| &cyclic.gates);
        for step in &steps {
            match step {
                Step::Gate(gate) => self.gate(*gate),
                Step::Block(block) => inner(*block).iter().for_each(|&gate| self.gate(gate)),
            }
        }
        wires.iter().map(|wire| self.now(*wire)).collect()
    }

    fn wire(&mut self, wire: Wire) -> Wire {
        self.all(&[wire])[0]
    }

    fn now(&self, wire: Wire) -> Wire {
        self.known[wire.node()].expect("operands come first").negated_if(wire.is_negated())
    }

    fn gate(&mut self, gate: usize) {
        if self.known[gate].is_none() {
            let operands: Vec<Wire> =
                self.circuit.net().operands(gate).iter().map(|&wire| self.now(wire)).collect();
            self.known[gate] = Some(self.logic.all(operands));
        }
    }

    fn without_moves(&mut self, stuck: Wire) -> Network {
        let goals = self.circuit.goals().iter().map(|goals| {
            let wires: Vec<Wire> = goals.iter().map(|goal| goal.wire).collect();
            let values = goals.iter().map(|goal| goal.value);
            values.zip(self.all(&wires)).collect()
        });
        let goals = goals.collect();
        Network {
            logic: Logic::new(),
            fluents: self.fluents.clone(),
            moves: Vec::new(),
            ranks: Vec::new(),
            loops: Vec::new(),
            terminal: self.wire(self.circuit.terminal()),
            stuck,
            legal: Vec::new(),
            last_ranks: Vec::new(),
            next: Vec::new(),
            goals,
        }
    }

    fn finish(mut self, mut network: Network, does: &[Wire]) -> Network {
        let inputs = self.circuit.net().inputs();
        does.iter().enumerate().for_each(|(at, &wire)| self.known[inputs.a_move(at)] = Some(wire));
        network.next = self.all(self.circuit.next());
        // Loops that only rules for the next state need are defined now; those of others were before.
        let used: Vec<Wire> = self.circuit.loops().to_vec();
        let defined = self.all(&used);
        network.loops = self.loops.iter().copied().zip(defined).collect();
        network.logic = self.logic;
        network
    }
}
