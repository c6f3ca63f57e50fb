//! A game as gates.

use crate::exclusive::Group;
use crate::net::Net;
use crate::signature::Signature;
use crate::wire::Wire;
use std::ops::Range;

/// A value that a goal gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoalWire {
    /// The value, if it is a number from 0 to 100.
    pub value: Option<u8>,
    /// Whether the goal gives it.
    pub wire: Wire,
}

/// How large a circuit was after a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// What was done.
    pub pass: &'static str,
    /// How many gates there were, of any number of inputs.
    pub gates: usize,
    /// How many gates of two inputs say the same.
    pub binary_gates: usize,
}

/// A game as gates over state bits and move bits.
#[derive(Clone, Debug)]
pub struct Circuit {
    pub(crate) net: Net,
    pub(crate) signature: Signature,
    /// By fluent: whether it holds in the next state.
    pub(crate) next: Vec<Wire>,
    /// By move: whether it is legal.
    pub(crate) legal: Vec<Wire>,
    pub(crate) terminal: Wire,
    /// By role.
    pub(crate) goals: Vec<Vec<GoalWire>>,
    /// By loop: what it becomes. Loops begin false and are computed until none changes.
    pub(crate) loops: Vec<Wire>,
    /// Loops that depend on each other, in an order in which they can be computed.
    pub(crate) blocks: Vec<Range<usize>>,
    /// Fluents that exclude each other.
    pub(crate) groups: Vec<Group>,
    pub(crate) n_ground_rules: usize,
    pub(crate) sizes: Vec<Size>,
}

impl Circuit {
    /// The gates.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// What the bits mean.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// By fluent: whether it holds in the next state.
    pub fn next(&self) -> &[Wire] {
        &self.next
    }

    /// By move: whether it is legal.
    pub fn legal(&self) -> &[Wire] {
        &self.legal
    }

    /// Whether the match is over.
    pub fn terminal(&self) -> Wire {
        self.terminal
    }

    /// By role: the values its goal may give.
    pub fn goals(&self) -> &[Vec<GoalWire>] {
        &self.goals
    }

    /// By loop: what it becomes, computed from the loops of its block, which begin false, until none changes.
    pub fn loops(&self) -> &[Wire] {
        &self.loops
    }

    /// The loops that depend on each other: each block after those it depends on.
    pub fn blocks(&self) -> &[Range<usize>] {
        &self.blocks
    }

    /// Groups of fluents that exclude each other, and whether always one of them holds.
    pub fn exclusive_fluents(&self) -> impl Iterator<Item = (impl Iterator<Item = usize> + '_, bool)> + '_ {
        let fluent = |&node: &u32| self.net.inputs().fluent_at(node as usize);
        self.groups.iter().map(move |group| (group.members.iter().filter_map(fluent), group.is_exactly_one))
    }

    /// How many ground rules it was made of.
    pub fn n_ground_rules(&self) -> usize {
        self.n_ground_rules
    }

    /// How large it was after each pass.
    pub fn sizes(&self) -> &[Size] {
        &self.sizes
    }

    pub(crate) fn note_size(&mut self, pass: &'static str) {
        let (gates, binary_gates) = (self.net.n_gates(), self.net.n_binary_gates());
        self.sizes.push(Size { pass, gates, binary_gates });
    }

    /// All wires that are asked from outside, loops among them.
    pub(crate) fn roots(&self) -> impl Iterator<Item = Wire> + '_ {
        let goals = self.goals.iter().flatten().map(|goal| goal.wire);
        let asked = self.next.iter().chain(&self.legal).chain(&self.loops).copied();
        asked.chain([self.terminal]).chain(goals)
    }

    /// Replaces the net; `new` tells where the old wires are now.
    pub(crate) fn replace_net(&mut self, net: Net, new: impl Fn(Wire) -> Wire) {
        self.net = net;
        let goals = self.goals.iter_mut().flatten().map(|goal| &mut goal.wire);
        let asked = self.next.iter_mut().chain(&mut self.legal).chain(&mut self.loops);
        asked.chain([&mut self.terminal]).chain(goals).for_each(|wire| *wire = new(*wire));
    }
}
