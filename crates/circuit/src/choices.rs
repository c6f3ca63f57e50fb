//! Who has a choice when: random play draws once for all roles where only one of them can have several legal moves.

use crate::circuit::Circuit;
use crate::exclusive::Operands;
use crate::factor::factor;
use crate::turns::Turns;
use crate::wire::Wire;
use rustc_hash::FxHashMap;

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
    if n_choosers > 1
        && let Some(turns) = Turns::find(circuit)
    {
        return merged(circuit, &turns);
    }
    separate(circuit)
}

/// One group for each role with more than one move.
fn separate(circuit: &mut Circuit) -> Choices {
    let mut choices = Choices { groups: Vec::new(), does: Vec::new(), stuck: Wire::FALSE };
    let moves_of = circuit.signature.moves_of.iter();
    let only_moves: Vec<usize> = moves_of.filter(|moves| moves.len() == 1).map(|moves| moves.start).collect();
    choices.stuck = circuit.net.or(only_moves.into_iter().map(|at| !circuit.legal[at]).collect::<Vec<_>>());
    if circuit.signature.moves_of.iter().any(|moves| moves.is_empty()) {
        choices.stuck = Wire::TRUE;
    }
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

/// One draw for all roles: each leaf stands for a move of each role, of which one at most may be legal.
fn merged(circuit: &mut Circuit, turns: &Turns) -> Choices {
    let signature = &circuit.signature;
    let drawn = |at: usize| {
        let role = signature.moves[at].role;
        turns.may_be_legal[at] & turns.chooses[role] != 0
    };
    let n_moves = signature.moves.len();
    let leaf_of = align(circuit, &(0..n_moves).map(drawn).collect::<Vec<_>>());
    let turn: Vec<Wire> = turns.chooses.iter().map(|&set| turns.cases.wire(circuit, set)).collect();
    let mut stuck = Vec::new();
    for (role, moves) in circuit.signature.moves_of.clone().into_iter().enumerate() {
        let is_forced = |&at: &usize| turns.may_be_legal[at] & !turns.chooses[role] != 0;
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
        let is_also_forced = turns.may_be_legal[at] & !turns.chooses[role] != 0;
        // The parts of a conjunction, so that what moves have in common is seen.
        let is_gate = !legal.is_negated() && !circuit.net.operands(legal.node()).is_empty();
        let mut term: Operands =
            if is_gate { circuit.net.operands(legal.node()).into() } else { [legal].into_iter().collect() };
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
    if terms.is_empty() {
        return Choices { groups: Vec::new(), does, stuck: Wire::TRUE };
    }
    let leaves = terms.into_iter().map(|terms| factor(&mut circuit.net, terms)).collect();
    Choices { groups: vec![leaves], does, stuck: circuit.net.or(stuck) }
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
        check_rules(game, &built_in(game), n_groups);
    }

    fn check_rules(game: &str, rules: &str, n_groups: usize) {
        let plain = translated(rules);
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
    fn a_turn_may_go_on_for_a_reason() {
        // Who moves is who moved last, as long as that role has something to carry on with.
        let rules = "(role left) (role right)
            (init (last right)) (init (step 1)) (init (piece 1)) (init (piece 3))
            (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)
            (other left right) (other right left)
            (<= goes_on (true (piece ?n)) (true (piece ?m)) (succ ?n ?m))
            (<= (control ?p) (true (last ?p)) goes_on)
            (<= (control ?p) (true (last ?q)) (other ?p ?q) (not goes_on))
            (<= (legal ?p (put ?n)) (control ?p) (succ ?n ?m) (not (true (piece ?n))))
            (<= (legal ?p (take ?n)) (control ?p) (true (piece ?n)))
            (<= (legal ?p noop) (role ?p) (not (control ?p)))
            (<= (next (last ?p)) (control ?p))
            (<= (next (piece ?n)) (does ?p (put ?n)))
            (<= (next (piece ?n)) (true (piece ?n)) (not taken))
            (<= taken (does ?p (take ?n)))
            (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
            (<= terminal (true (step 9)))
            (goal left 50) (goal right 50)";
        check_rules("a turn that goes on", rules, 1);
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
