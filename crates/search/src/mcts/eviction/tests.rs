//! Random growth and eviction against what the rules of a small game say.

use super::*;
use crate::mcts::Parameters;
use crate::mcts::expansion::Expansions;
use crate::mcts::priors::Priors;
use crate::mcts::roles::Roles;
use crate::mcts::select::{End, Taste, Visit};
use crate::mcts::tree::{NONE, Successor};
use senet_game::{MoveGenerator, MoveId};
use std::collections::HashMap;

/// A game of numbers, with transpositions, cycles and ends.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    n_states: u64,
    /// How many moves both roles have where both choose, in one state of three.
    together: [usize; 2],
}

impl Numbers {
    /// By role: how many moves it has.
    fn n_moves(self, state: u64) -> [usize; 2] {
        match state % 3 {
            0 => [4, 1],
            1 => [1, 3],
            _ => self.together,
        }
    }

    fn step(self, state: u64, joint: u64) -> Successor<u64> {
        let state = (state * 5 + joint * 17 + 1) % self.n_states;
        let goals = state.is_multiple_of(7).then(|| [(state / 7 % 40) as u8, 50].into());
        Successor { state, goals }
    }
}

struct Trial {
    game: Numbers,
    tree: Tree<u64>,
    taste: Taste,
    generator: MoveGenerator,
    under_way: Vec<Visit>,
}

impl Trial {
    fn new(game: Numbers, seed: u64) -> Trial {
        let names = ["one", "two"].map(str::to_owned);
        let roles = Roles::new(&names, 0, &[], |_| None, Box::new(|_| String::new()), 8);
        let parameters = Parameters { proofs: false, ..Parameters::default() };
        let mut trial = Trial {
            game,
            tree: Tree::new(roles, Priors::new(parameters.shared, 2), 0),
            taste: Taste::new(&parameters, 32.0),
            generator: MoveGenerator::new(seed),
            under_way: Vec::new(),
        };
        trial.go_to(1);
        trial
    }

    fn go_to(&mut self, state: u64) {
        let root = self.tree.enter(Successor { state, goals: None });
        self.tree.go_to(root);
        self.expand(root);
    }

    fn expand(&mut self, node: u32) {
        let Some(state) = self.tree.nodes[node as usize].state else { return };
        let mut expansions = Expansions::default();
        expansions.clear(2, 0);
        for (role, n) in self.game.n_moves(state).into_iter().enumerate() {
            (0..n).for_each(|id| expansions.add_move(0, role, MoveId::new(id)));
        }
        expansions.sort_moves(1);
        let n_joint = expansions.choices(0).n_joint();
        let n_known = if n_joint <= 48 { n_joint } else { 0 };
        expansions.add_position(n_known);
        for joint in 0..n_known {
            expansions.add_successor(&[], self.game.step(state, joint).goals.as_deref());
        }
        self.tree.expand(node, &expansions.get(0));
    }

    fn go_down(&mut self) {
        let (game, mut visit) = (self.game, Visit::default());
        let mut step = |state: &u64, _: &Moves, joint: u64| Ok(game.step(*state, joint));
        let end = self.tree.select(&self.taste, &mut self.generator, &mut visit, &mut step);
        match end.expect("it plays") {
            End::Leaf => self.under_way.push(visit),
            End::Known => self.back_up(&visit),
            End::Busy => self.tree.give_up(&visit),
        }
    }

    fn back_up(&mut self, visit: &Visit) {
        let mut scores = [self.generator.below(101) as f32, self.generator.below(101) as f32];
        self.tree.back_up(visit, &mut scores, false);
    }

    /// Ends a visit that is under way.
    fn go_up(&mut self) {
        let visit = self.under_way.swap_remove(self.generator.below(self.under_way.len()));
        if self.generator.below(10) == 0 {
            return self.tree.give_up(&visit);
        }
        self.expand(visit.leaf);
        if self.generator.below(10) == 0 { self.tree.give_up(&visit) } else { self.back_up(&visit) }
    }

    /// Evicts until the tree is not full; checks that no step is long.
    fn evict(&mut self, most_bytes: usize) {
        let most_steps = 40 * (self.tree.nodes.len() / WORK + 10);
        for _ in 0..most_steps {
            if !self.tree.is_full(most_bytes) {
                return;
            }
            let work = self.tree.evict_in_step(most_bytes);
            assert!(work <= MOST_WORK, "{work}");
        }
        panic!("it does not end: {} bytes", self.tree.bytes);
    }

    /// Compares all that the tree counts with a count, and all that it remembers with the game.
    fn check(&mut self) {
        let tree = &self.tree;
        let (mut references, mut states) = (HashMap::new(), HashMap::new());
        let (mut bytes, mut n_nodes) = (0, 0);
        *references.entry(tree.root).or_insert(0) += 1;
        for (at, node) in tree.nodes.iter().enumerate().filter(|(_, node)| !node.is_free()) {
            n_nodes += 1;
            bytes += tree.node_bytes() + node.moves.as_ref().map_or(0, Moves::bytes);
            let goals = node.is_over.then(|| tree.lows(at as u32).iter().map(|&low| low as u8).collect());
            assert_eq!(states.insert((node.state, goals), at), None, "the same position twice");
            let Some(moves) = &node.moves else { continue };
            moves.children().for_each(|child| *references.entry(child).or_insert(0) += 1);
            let mut n_children = 0;
            for joint in 0..moves.n_joint() {
                let child = moves.child(joint);
                if child == NONE {
                    continue;
                }
                n_children += 1;
                let right = self.game.step(node.state.expect("ends have no moves"), joint);
                let follows = &tree.nodes[child as usize];
                assert_eq!(follows.is_over, right.goals.is_some());
                match right.goals {
                    Some(goals) => {
                        assert!(goals.iter().zip(tree.lows(child)).all(|(&g, &low)| f32::from(g) == low))
                    }
                    None => assert_eq!(follows.state, Some(right.state)),
                }
            }
            assert_eq!(n_children, moves.children().count());
        }
        for discarded in &tree.eviction.discarded {
            bytes += discarded.bytes;
            discarded.moves.children().for_each(|child| *references.entry(child).or_insert(0) += 1);
        }
        for (at, node) in tree.nodes.iter().enumerate().filter(|(_, node)| !node.is_free()) {
            assert_eq!(node.references, references.remove(&(at as u32)).unwrap_or(0), "{at}");
        }
        assert!(references.is_empty(), "moves lead nowhere: {references:?}");
        assert_eq!((bytes, n_nodes), (tree.bytes, tree.len()));
        for visit in &self.under_way {
            let next = visit.steps.iter().skip(1).map(|&(node, _)| node).chain([visit.leaf]);
            for (&(node, joint), next) in visit.steps.iter().zip(next) {
                let moves = tree.nodes[node as usize].moves.as_ref().expect("it is under way");
                assert_eq!(moves.child(joint), next);
            }
            assert!(!tree.nodes[visit.leaf as usize].is_free());
        }
        assert!(tree.nodes[tree.root as usize].moves.is_some());
        // All are found again where they are.
        for ((state, goals), at) in states {
            let goals: Option<Vec<u8>> = goals;
            let successor = Successor { state: state.unwrap_or(0), goals: goals.map(Into::into) };
            let found = self.tree.enter(successor);
            assert_eq!(found, at as u32);
            self.tree.nodes[at].references -= 1;
        }
    }
}

#[test]
fn the_tree_is_right_whatever_is_evicted() {
    let games = [
        Numbers { n_states: 1_000, together: [2, 3] },
        Numbers { n_states: 50_000, together: [2, 3] },
        // More joint moves than are remembered unless they are tried.
        Numbers { n_states: 20_000, together: [90, 60] },
    ];
    for (game, seed) in games.into_iter().zip(1..) {
        let mut trial = Trial::new(game, seed);
        let mut most = 0;
        for round in 0..300 {
            for _ in 0..trial.generator.below(400) {
                trial.go_down();
                while trial.under_way.len() > trial.generator.below(30) {
                    trial.go_up();
                }
            }
            most = most.max(trial.tree.bytes);
            if round % 3 > 0 {
                let share = 1 + trial.generator.below(10);
                trial.evict(most * share / 11);
            }
            if round % 20 == 19 {
                while !trial.under_way.is_empty() {
                    trial.go_up();
                }
                let state = 1 + 3 * trial.generator.below(5) as u64;
                trial.go_to(state);
            }
            if round % 5 == 0 {
                trial.check();
            }
        }
        // Nothing but the root and its moves has to stay.
        while !trial.under_way.is_empty() {
            trial.go_up();
        }
        (0..3).for_each(|_| trial.evict(0));
        trial.check();
        let root = trial.tree.nodes[trial.tree.root as usize].moves.as_ref().expect("it has moves");
        assert!(trial.tree.len() <= 1 + root.children().count(), "{game:?}: {}", trial.tree.len());
    }
}

#[test]
fn what_is_visited_often_stays_and_what_is_left_behind_goes() {
    let mut trial = Trial::new(Numbers { n_states: 1 << 40, together: [2, 3] }, 1);
    for _ in 0..20_000 {
        trial.go_down();
        if !trial.under_way.is_empty() {
            trial.go_up();
        }
    }
    let limit = trial.tree.bytes / 2;
    let best = |trial: &Trial| {
        let visits = |child: &u32| trial.tree.nodes[*child as usize].visits;
        let moves = trial.tree.nodes[trial.tree.root as usize].moves.as_ref().expect("it has moves");
        moves.children().filter(|&child| !trial.tree.nodes[child as usize].is_over).max_by_key(visits)
    };
    let child = best(&trial).expect("a position follows");
    trial.evict(limit);
    assert!(trial.tree.bytes <= limit && trial.tree.nodes[child as usize].moves.is_some());
    // The tree of the old root, most of which is not below the new one, goes before anything else does.
    let old = trial.tree.root;
    let below = trial.tree.nodes[child as usize].visits;
    trial.tree.hold(child);
    trial.tree.go_to(child);
    trial.expand(child);
    trial.evict(trial.tree.bytes - 1);
    assert!(trial.tree.nodes[old as usize].is_free());
    assert!(trial.tree.nodes[child as usize].visits == below);
    trial.check();
}
