//! Who has a choice when: random play draws once for all roles where only one of them can have several legal moves.

use crate::circuit::Circuit;
use crate::exclusive::{Group, Operands};
use crate::factor::factor;
use crate::wire::Wire;
use rustc_hash::FxHashMap;

/// A larger group hardly tells whose turn it is.
const MOST_MEMBERS: usize = 24;
/// How many operands are looked at for all groups together.
const MOST_WORK: usize = 20_000_000;

/// How a move comes to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Does {
    /// It is played whenever this is on: the role has no other legal move then.
    Forced(Wire),
    /// It is played when its leaf is drawn while `gate` is on, and whenever `forced` is on.
    Drawn {
        /// The group it is drawn in.
        group: usize,
        /// Its place among the leaves of the group.
        leaf: usize,
        /// Whether the leaf stands for this move.
        gate: Wire,
        /// Whether it is the only legal move of a role that has no choice.
        forced: Wire,
    },
}

/// What is drawn in a step of random play.
#[derive(Clone, Debug)]
pub struct Choices {
    /// Groups of leaves, of which one that is on is drawn. There is always one in states that are not terminal,
    /// unless [`Choices::stuck`].
    pub groups: Vec<Vec<Wire>>,
    /// By move: how it comes to be played.
    pub does: Vec<Does>,
    /// Whether a role that is not drawn for has no legal move; groups without a leaf that is on are not seen here.
    pub stuck: Wire,
}

/// Finds what has to be drawn, and adds the gates it takes.
pub fn choices(circuit: &mut Circuit) -> Choices {
    let n_choosers = circuit.signature.moves_of.iter().filter(|moves| moves.len() > 1).count();
    if n_choosers > 1 {
        for group in likely_turns(circuit) {
            if let Some(turns) = Turns::prove(circuit, &group) {
                return turns.merge(circuit, &group);
            }
        }
    }
    separate(circuit)
}

/// One group for each role with more than one move.
fn separate(circuit: &mut Circuit) -> Choices {
    let mut choices = Choices { groups: Vec::new(), does: Vec::new(), stuck: Wire::FALSE };
    let moves_of = circuit.signature.moves_of.iter();
    let only_moves: Vec<usize> = moves_of.filter(|moves| moves.len() == 1).map(|moves| moves.start).collect();
    choices.stuck = circuit.net.or(only_moves.into_iter().map(|at| !circuit.legal[at]).collect::<Vec<_>>());
    for moves in &circuit.signature.moves_of {
        match moves.len() {
            0 => {}
            1 => choices.does.push(Does::Forced(Wire::TRUE)),
            _ => {
                let group = choices.groups.len();
                choices.groups.push(circuit.legal[moves.clone()].to_vec());
                let drawn = |leaf| Does::Drawn { group, leaf, gate: Wire::TRUE, forced: Wire::FALSE };
                choices.does.extend((0..moves.len()).map(drawn));
            }
        }
    }
    choices
}

/// The groups of exclusive fluents that may tell whose turn it is, small ones first.
fn likely_turns(circuit: &Circuit) -> Vec<Group> {
    let mut small: Vec<&Group> =
        circuit.groups.iter().filter(|group| group.members.len() <= MOST_MEMBERS).collect();
    small.sort_by_key(|group| group.members.len());
    let n_groups = MOST_WORK / circuit.net.n_operands().max(1);
    small.into_iter().take(n_groups).cloned().collect()
}

/// Sets of members of a group, as bits; one bit more stands for none of them.
type Members = u64;

/// Which role may have a choice, by the member of a group that holds.
struct Turns {
    /// By move: while which members it may be legal.
    may_be_legal: Vec<Members>,
    /// By role: while which members it is the one that may have a choice.
    chooses: Vec<Members>,
    all: Members,
}

impl Turns {
    /// Proves that at most one role has a choice, whichever member of the group holds.
    fn prove(circuit: &Circuit, group: &Group) -> Option<Turns> {
        let n_members = group.members.len();
        let n_cases = n_members + usize::from(!group.is_exactly_one);
        let all = (1 << n_cases) - 1;
        let net = &circuit.net;
        // While which members a node may be on, and off.
        let mut may = vec![[all; 2]; net.len()];
        may[0] = [all, 0];
        for (at, &member) in group.members.iter().enumerate() {
            may[member as usize] = [all & !(1 << at), 1 << at];
        }
        let of = |may: &[[Members; 2]], wire: Wire| may[wire.node()][usize::from(!wire.is_negated())];
        for gate in net.gates() {
            let operands = net.operands(gate).iter();
            let (off, on) =
                operands.fold((0, all), |(off, on), &wire| (off | of(&may, !wire), on & of(&may, wire)));
            may[gate] = [off, on];
        }
        let may_be_legal: Vec<Members> = circuit.legal.iter().map(|&legal| of(&may, legal)).collect();
        let mut chooses = vec![0; circuit.signature.role_names.len()];
        for case in 0..n_cases {
            let n_possible = |moves: &std::ops::Range<usize>| {
                may_be_legal[moves.clone()].iter().filter(|&&cases| cases >> case & 1 == 1).count()
            };
            let roles = circuit.signature.moves_of.iter().enumerate();
            let mut choosers = roles.filter(|(_, moves)| n_possible(moves) > 1).map(|(role, _)| role);
            let chooser = choosers.next().unwrap_or(0);
            if choosers.next().is_some() {
                return None;
            }
            chooses[chooser] |= 1 << case;
        }
        Some(Turns { may_be_legal, chooses, all })
    }

    /// One draw for all roles: each leaf stands for a move of each role, of which one at most may be legal.
    fn merge(&self, circuit: &mut Circuit, group: &Group) -> Choices {
        let signature = &circuit.signature;
        let drawn = |at: usize| {
            let role = signature.moves[at].role;
            self.may_be_legal[at] & self.chooses[role] != 0
        };
        let n_moves = signature.moves.len();
        let leaf_of = align(circuit, &(0..n_moves).map(drawn).collect::<Vec<_>>());
        let turn: Vec<Wire> = self.chooses.iter().map(|&cases| self.case(circuit, group, cases)).collect();
        let mut stuck = Vec::new();
        for (role, moves) in circuit.signature.moves_of.clone().into_iter().enumerate() {
            let is_forced = |&at: &usize| self.may_be_legal[at] & !self.chooses[role] != 0;
            let forced: Vec<Wire> = moves.filter(is_forced).map(|at| circuit.legal[at]).collect();
            stuck.push(!circuit.net.or(forced.into_iter().chain([turn[role]])));
        }
        let mut terms: Vec<Vec<Operands>> = Vec::new();
        let mut n_sources: Vec<usize> = Vec::new();
        let mut does = Vec::with_capacity(n_moves);
        for (at, leaf) in leaf_of.into_iter().enumerate() {
            let (role, legal) = (circuit.signature.moves[at].role, circuit.legal[at]);
            let Some(leaf) = leaf else {
                does.push(Does::Forced(legal));
                continue;
            };
            terms.resize(terms.len().max(leaf + 1), Vec::new());
            n_sources.resize(terms.len(), 0);
            let is_also_forced = self.may_be_legal[at] & !self.chooses[role] != 0;
            // The parts of a conjunction, so that what moves have in common is seen.
            let is_gate = !legal.is_negated() && !circuit.net.operands(legal.node()).is_empty();
            let mut term: Operands = if is_gate {
                circuit.net.operands(legal.node()).into()
            } else {
                [legal].into_iter().collect()
            };
            let mut forced = Wire::FALSE;
            if is_also_forced {
                term.push(turn[role]);
                forced = circuit.net.and([legal, !turn[role]].into_iter().collect());
            }
            terms[leaf].push(term);
            n_sources[leaf] += 1;
            does.push(Does::Drawn { group: 0, leaf, gate: turn[role], forced });
        }
        for how in &mut does {
            if let Does::Drawn { leaf, gate, .. } = how
                && n_sources[*leaf] == 1
            {
                *gate = Wire::TRUE;
            }
        }
        let leaves = terms.into_iter().map(|terms| factor(&mut circuit.net, terms)).collect();
        Choices { groups: vec![leaves], does, stuck: circuit.net.or(stuck) }
    }

    /// Whether one of some members holds.
    fn case(&self, circuit: &mut Circuit, group: &Group, cases: Members) -> Wire {
        if cases == self.all {
            return Wire::TRUE;
        }
        let has = |at: usize| cases >> at & 1 == 1;
        let is_none = has(group.members.len());
        let members = group.members.iter().enumerate();
        let wires =
            members.filter(|&(at, _)| has(at) != is_none).map(|(_, &member)| Wire::of(member as usize));
        let wires: Vec<Wire> = wires.collect();
        circuit.net.or(wires).negated_if(is_none)
    }
}

/// Gives drawn moves a leaf: the same move of different roles the same, then whatever is left.
fn align(circuit: &Circuit, is_drawn: &[bool]) -> Vec<Option<usize>> {
    let signature = &circuit.signature;
    let mut leaf_of = vec![None; signature.moves.len()];
    let mut n_roles: FxHashMap<_, usize> = FxHashMap::default();
    for (at, it) in signature.moves.iter().enumerate() {
        if is_drawn[at] {
            *n_roles.entry(it.term).or_default() += 1;
        }
    }
    let mut n_leaves = 0;
    let mut leaf_of_term = FxHashMap::default();
    for (at, it) in signature.moves.iter().enumerate() {
        if is_drawn[at] && n_roles[&it.term] > 1 {
            let leaf = *leaf_of_term.entry(it.term).or_insert_with(|| {
                n_leaves += 1;
                n_leaves - 1
            });
            leaf_of[at] = Some(leaf);
        }
    }
    // Leaves that a role does not use yet, from the first on.
    for moves in &signature.moves_of {
        let mut is_used = vec![false; n_leaves];
        moves.clone().filter_map(|at| leaf_of[at]).for_each(|leaf| is_used[leaf] = true);
        let mut free = (0..).filter(|&leaf| !is_used.get(leaf).is_some_and(|&used| used));
        for at in moves.clone() {
            if is_drawn[at] && leaf_of[at].is_none() {
                leaf_of[at] = free.next();
                n_leaves = n_leaves.max(leaf_of[at].map_or(0, |leaf| leaf + 1));
            }
        }
    }
    leaf_of
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{built_in, random_play, translated, values};

    /// In every state of some plays: the moves that are forced or can be drawn are the legal ones, one leaf each.
    fn check(game: &str, n_groups: usize) {
        let plain = translated(&built_in(game));
        let mut circuit = plain.clone();
        let choices = choices(&mut circuit);
        assert_eq!(choices.groups.len(), n_groups, "{game}");
        for seed in 0..5 {
            for (fluents, played) in random_play(&plain, seed) {
                if !played.contains(&true) {
                    continue;
                }
                let no_moves = vec![false; played.len()];
                let of = |wires: &[Wire]| values(&circuit, wires, &fluents, &no_moves);
                assert_eq!(of(&[choices.stuck]), [false]);
                let legal = of(circuit.legal());
                let leaves: Vec<Vec<bool>> = choices.groups.iter().map(|leaves| of(leaves)).collect();
                for (at, how) in choices.does.iter().enumerate() {
                    let possible = match *how {
                        Does::Forced(wire) => of(&[wire])[0],
                        Does::Drawn { group, leaf, gate, forced } => {
                            let [gate, forced] = of(&[gate, forced])[..] else {
                                unreachable!("two were asked")
                            };
                            leaves[group][leaf] && gate || forced
                        }
                    };
                    assert_eq!(possible, legal[at], "{game}: {}", circuit.signature().moves[at].text);
                }
                for (group, leaves) in leaves.iter().enumerate() {
                    let is_drawn = |&&at: &&usize| {
                        matches!(choices.does[at], Does::Drawn { group: own, leaf, gate, .. }
                            if own == group && leaves[leaf] && of(&[gate])[0])
                    };
                    let all: Vec<usize> = (0..legal.len()).filter(|&at| legal[at]).collect();
                    let n_drawn = all.iter().filter(is_drawn).count();
                    assert_eq!(n_drawn, leaves.iter().filter(|&&on| on).count(), "{game}");
                }
            }
        }
    }

    #[test]
    fn roles_that_take_turns_draw_once() {
        check("lines/tic-tac-toe.kif", 1);
        check("breakthrough/breakthrough-6x6.kif", 1);
        check("hex/hex-7x7.kif", 1);
        check("reversi/reversi-8x8.kif", 1);
    }

    #[test]
    fn roles_that_move_together_draw_each() {
        check("tron/tron-10x10.kif", 2);
        check("matrix/rock-paper-scissors.kif", 2);
    }

    #[test]
    fn one_role_draws_alone() {
        check("puzzles/eight-puzzle.kif", 1);
    }
}
