//! Ary's player of the final phase, as published: UCT with a constant C, one node added a playout, each role choosing
//! independently, the tree kept from move to move, thinking before the first move and in the time of the others.
//!
//! Mehat and Cazenave, "An Account of a Participation to the 2007 General Game Playing Competition". Rewards are the goals from
//! 0 to 100 as they are, and C multiplies the square root of log(t) / s. The move that is played has the best mean.

use crate::disposal::{dispose, drop_elsewhere};
use crate::playout::playout;
use crate::position::Position;
use crate::thinker::{Search, Strategy};
use crate::tree::{Kind, ROOT, Tree};
use crate::{Choice, Limit, Report, SearchError};
use senet_game::{Engine, GameError, MoveGenerator, MoveId, PlayError, RoleId, roles};
use std::sync::Arc;
use std::time::Instant;

/// UCT and its options.
#[derive(Clone, Debug)]
pub(crate) struct Uct {
    /// How much the unexplored is worth.
    pub(crate) c: f64,
    pub(crate) playouts: Option<u64>,
    /// How many bytes the tree may take. When they are used up no node is added, and statistics go on.
    pub(crate) memory: usize,
    pub(crate) seed: u64,
}

impl Strategy for Uct {
    fn search<E: Engine>(&self, engine: Arc<E>, role: RoleId) -> Result<Box<dyn Search>, SearchError> {
        Ok(Box::new(UctSearch::new(self.clone(), engine, role)?))
    }

    fn most_playouts(&self) -> Option<u64> {
        self.playouts
    }

    fn thinks_ahead(&self) -> bool {
        true
    }
}

struct UctSearch<E: Engine> {
    options: Uct,
    role: RoleId,
    position: Position<E>,
    tree: Tree<E::State>,
    /// The node of the position: [`ROOT`] once the nodes out of reach were dropped.
    root: u32,
    generator: MoveGenerator,
    /// Since the last joint move.
    playouts: u64,
    depth: u32,
    /// The nodes of a playout, and for each of them the places of the moves of all roles.
    path: Vec<u32>,
    chosen: Vec<u32>,
    joint: Vec<MoveId>,
    /// The moves of a node that is being opened.
    moves: Vec<MoveId>,
    borders: Vec<u32>,
    goals: Vec<Option<u8>>,
    worths: Vec<u8>,
}

impl<E: Engine> UctSearch<E> {
    fn new(options: Uct, engine: Arc<E>, role: RoleId) -> Result<Self, SearchError> {
        let position = Position::new(engine)?;
        let tree = root(&position);
        Ok(UctSearch {
            role,
            generator: MoveGenerator::new(options.seed),
            position,
            tree,
            root: ROOT,
            playouts: 0,
            depth: 0,
            path: Vec::new(),
            chosen: Vec::new(),
            joint: Vec::new(),
            moves: Vec::new(),
            borders: Vec::new(),
            goals: Vec::new(),
            worths: Vec::new(),
            options,
        })
    }

    /// One playout: down the tree, a new node, random moves to the end, and the goals up again. False if the limit came
    /// first: nothing is counted then.
    fn playout(&mut self, limit: &Limit) -> Result<bool, GameError> {
        self.path.clear();
        self.chosen.clear();
        let mut node = self.root;
        loop {
            let open = match self.tree.kind(node) {
                Kind::Open(open) => open,
                Kind::End(at) => {
                    self.worths.clear();
                    self.worths.extend_from_slice(self.tree.goals(at));
                    self.tree.visit(node);
                    break;
                }
                // There is no room to open it, or the limit came before its first playout ended.
                Kind::Leaf if node != self.root && (self.is_full() || self.tree.node(node).visits == 0) => {
                    if !self.play_from(node, limit) {
                        return Ok(false);
                    }
                    break;
                }
                Kind::Leaf => self.open(node)?,
            };
            let first = self.chosen.len();
            self.joint.clear();
            for role in 0..self.position.n_roles() {
                let at = self.tree.select(open, role, self.options.c, &mut self.generator);
                self.chosen.push(at as u32);
                self.joint.push(self.tree.stat(at).id);
            }
            self.path.push(node);
            if let Some(child) = self.tree.child(node, open, &self.chosen[first..]) {
                node = child;
                continue;
            }
            let Position { engine, worker, .. } = &mut self.position;
            let state = engine.step(worker, &self.tree.node(node).state, &self.joint)?;
            if self.is_full() {
                if !self.play_out(&state, limit) {
                    return Ok(false);
                }
            } else {
                let bytes = self.position.engine.state_bytes(&state);
                let child = self.tree.add(node, open, &self.chosen[first..], state, bytes);
                if !self.play_from(child, limit) {
                    return Ok(false);
                }
            }
            break;
        }
        self.count();
        Ok(true)
    }

    /// Tells the nodes of a playout what came out.
    fn count(&mut self) {
        self.playouts += 1;
        self.depth = self.depth.max(self.path.len() as u32);
        let n_roles = self.position.n_roles();
        for (at, &node) in self.path.iter().enumerate() {
            self.tree.count(node, &self.chosen[at * n_roles..][..n_roles], &self.worths);
        }
    }

    /// Drops the nodes that cannot be reached from the position any more, once the tree takes half of the memory. If that
    /// would drop little, or takes more than a quarter of the time, the tree stays as it is.
    fn drop_unreachable(&mut self, limit: &Limit) {
        let bytes = self.tree.bytes();
        if self.root == ROOT || bytes < self.options.memory / 2 {
            return;
        }
        let engine = &self.position.engine;
        let patience = limit.time_left().map(|left| Instant::now() + left / 4);
        let is_late = || limit.is_reached(0) || patience.is_some_and(|until| Instant::now() >= until);
        let goes_on = |kept: usize| kept < bytes / 2 && !is_late();
        let kept = self.tree.reroot(self.root, |state| engine.state_bytes(state), goes_on);
        if let Some(kept) = kept {
            drop_elsewhere(std::mem::replace(&mut self.tree, kept));
            self.root = ROOT;
        }
    }

    fn is_full(&self) -> bool {
        self.tree.bytes() >= self.options.memory
    }

    /// Looks at the moves of a leaf. Where a match is over the caller knows it already.
    fn open(&mut self, node: u32) -> Result<u32, GameError> {
        let Position { engine, worker, .. } = &mut self.position;
        let state = &self.tree.node(node).state;
        self.moves.clear();
        self.borders.clear();
        self.borders.push(0);
        for role in roles(&**engine) {
            engine.legals(worker, state, role, &mut self.joint)?;
            if self.joint.is_empty() {
                return Err(GameError::no_legal_move(&**engine, worker, state, role));
            }
            self.moves.extend_from_slice(&self.joint);
            self.borders.push(self.moves.len() as u32);
        }
        self.tree.open(node, &self.moves, &self.borders);
        match self.tree.kind(node) {
            Kind::Open(open) => Ok(open),
            _ => unreachable!("it was opened"),
        }
    }

    /// Plays from a leaf. One in which the match is over is marked.
    fn play_from(&mut self, leaf: u32, limit: &Limit) -> bool {
        let (position, generator) = (&mut self.position, &mut self.generator);
        let state = &self.tree.node(leaf).state;
        let Some(played) = playout(position, state, generator, limit, &mut self.goals) else {
            return false;
        };
        self.weigh();
        self.tree.visit(leaf);
        if played.is_over && played.length == 0 {
            self.tree.end(leaf, self.worths.iter().copied());
        }
        true
    }

    /// Plays from a state that is not kept.
    fn play_out(&mut self, state: &E::State, limit: &Limit) -> bool {
        let (position, generator) = (&mut self.position, &mut self.generator);
        let is_played = playout(position, state, generator, limit, &mut self.goals).is_some();
        self.weigh();
        is_played
    }

    /// Goals that the rules do not give count 0.
    fn weigh(&mut self) {
        self.worths.clear();
        self.worths.extend(self.goals.iter().map(|goal| goal.unwrap_or(0)));
    }

    /// The place of the move with the best mean; of those with the same, the one that was tried most.
    fn best(&self, open: u32, role: usize) -> usize {
        let key = |at: &usize| (self.tree.stat(*at).mean(), self.tree.stat(*at).visits);
        let better = |left: &usize, right: &usize| {
            let (left, right) = (key(left), key(right));
            left.0.total_cmp(&right.0).then(left.1.cmp(&right.1))
        };
        let best = self.tree.stats_of(open, role).rev().max_by(better);
        best.expect("every role has a move in an open node")
    }

    /// The moves that all are expected to make from here on.
    fn line(&mut self) -> Vec<Vec<String>> {
        const LONGEST: usize = 20;
        let mut line = Vec::new();
        let mut node = Some(self.root);
        while let Some(at) = node
            && let Kind::Open(open) = self.tree.kind(at)
            && self.tree.node(at).visits > 0
            && line.len() < LONGEST
        {
            let chosen: Vec<u32> =
                (0..self.position.n_roles()).map(|role| self.best(open, role) as u32).collect();
            let ids: Vec<MoveId> = chosen.iter().map(|&at| self.tree.stat(at as usize).id).collect();
            line.push(ids.into_iter().map(|id| self.position.text(id)).collect());
            node = self.tree.child(at, open, &chosen);
        }
        line
    }
}

impl<E: Engine> Drop for UctSearch<E> {
    fn drop(&mut self) {
        let bytes = self.tree.bytes();
        dispose(std::mem::replace(&mut self.tree, root(&self.position)), bytes);
    }
}

fn root<E: Engine>(position: &Position<E>) -> Tree<E::State> {
    let bytes = position.engine.state_bytes(&position.state);
    Tree::new(position.n_roles(), position.state.clone(), bytes)
}

impl<E: Engine> Search for UctSearch<E> {
    fn think(&mut self, limit: &Limit) -> Result<(), SearchError> {
        let Position { engine, worker, state } = &mut self.position;
        if engine.is_terminal(worker, state)? {
            self.tree.end(self.root, std::iter::repeat_n(0, engine.role_names().len()));
            return Ok(());
        }
        let already = self.playouts;
        limit.update_reserve(|| self.choice().ok());
        self.drop_unreachable(limit);
        while !self.is_settled() && !limit.is_reached(self.playouts - already) {
            limit.update_reserve(|| self.choice().ok());
            match self.playout(limit) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) if self.path.is_empty() => return Err(error.into()),
                // Where the rules cannot answer there is nothing to be had for anybody.
                Err(_) => {
                    self.worths.clear();
                    self.worths.resize(self.position.n_roles(), 0);
                    self.count();
                }
            }
        }
        Ok(())
    }

    /// It thinks even where there is one legal move: what it finds out is used later.
    fn is_settled(&self) -> bool {
        // More visits cannot be counted: that is after half an hour of tic-tac-toe.
        matches!(self.tree.kind(self.root), Kind::End(_)) || self.tree.node(self.root).visits == u32::MAX
    }

    fn playouts(&self) -> u64 {
        self.playouts
    }

    fn choice(&mut self) -> Result<Choice, SearchError> {
        let Position { engine, worker, state } = &mut self.position;
        if engine.is_terminal(worker, state)? {
            return Err(PlayError::Terminal.into());
        }
        let open = match self.tree.kind(self.root) {
            Kind::Open(open) => open,
            Kind::Leaf | Kind::End(_) => self.open(self.root)?,
        };
        let best = *self.tree.stat(self.best(open, self.role.index()));
        let report = Report {
            engine: Some(self.position.engine.name()),
            playouts: self.playouts,
            nodes: self.tree.len() as u64,
            depth: self.depth,
            value: (best.visits > 0).then(|| best.mean()),
            line: self.line(),
            ..Report::default()
        };
        Ok(Choice { text: self.position.text(best.id), report })
    }

    fn observe(&mut self, joint: &[String]) -> Result<(), SearchError> {
        let joint = self.position.find(joint)?;
        self.position.advance(&joint)?;
        let child = match self.tree.kind(self.root) {
            Kind::Open(open) => {
                let places = joint.iter().enumerate();
                let chosen: Vec<u32> =
                    places.map(|(role, (at, _))| self.tree.stats_of(open, role).start as u32 + at).collect();
                self.tree.child(self.root, open, &chosen)
            }
            Kind::Leaf | Kind::End(_) => None,
        };
        match child {
            Some(child) => self.root = child,
            None => {
                drop_elsewhere(std::mem::replace(&mut self.tree, root(&self.position)));
                self.root = ROOT;
            }
        }
        (self.playouts, self.depth) = (0, 0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{play, rules, started};
    use crate::{Assignment, Spec, Stop};
    use std::time::Duration;

    fn playouts(count: u64) -> Limit {
        Limit::default().with_playouts(count)
    }

    fn search(game: &str, memory: usize) -> UctSearch<senet_engine_circuit::CircuitEngine> {
        let options = Uct { c: 50.0, playouts: None, memory, seed: 1 };
        let rules = rules(game);
        let gates = rules.gates().wait(&Limit::default()).expect("no limit").as_ref().expect("it is small");
        UctSearch::new(options, gates.engine.clone(), RoleId::new(0)).expect("it plays")
    }

    #[test]
    fn the_game_that_pure_monte_carlo_does_not_solve() {
        for seed in 0..20 {
            let choice = |spec: &str| {
                let mut player = started("ary-tree", spec, 0, seed);
                player.choose(&playouts(2_000)).expect("a move")
            };
            let plain = choice("monte-carlo");
            assert_eq!((&*plain.text, plain.report.playouts), ("(descend c)", 2_000));
            assert_eq!(plain.report.value, Some(50.0));
            let uct = choice("uct");
            assert_eq!((&*uct.text, uct.report.playouts), ("(descend b)", 2_000));
            assert_eq!(uct.report.line, [["(descend b)"], ["(descend d)"]]);
            assert!(uct.report.value > Some(80.0), "{:?}", uct.report);
        }
    }

    #[test]
    fn the_option_counts_playouts_of_a_move_and_the_limit_those_of_a_choice() {
        let mut player = started("tic-tac-toe", "uct:playouts=300", 0, 1);
        // They were made before the first move.
        assert_eq!(player.choose(&playouts(1)).expect("a move").report.playouts, 300);
        player.observe(&["(mark 2 2)".to_owned(), "noop".to_owned()]).expect("it is legal");
        // Whoever counts playouts counts those of moves.
        player.ponder(&playouts(100)).expect("it plays");
        assert_eq!(player.choose(&playouts(50)).expect("a move").report.playouts, 50);
        assert_eq!(player.choose(&playouts(1_000)).expect("a move").report.playouts, 300);
    }

    #[test]
    fn playouts_that_were_made_before_the_gates_do_not_count() {
        let rules = rules("tic-tac-toe");
        let mut player = "uct:playouts=20".parse::<Spec>().expect("a strategy").player(1);
        let assignment = Assignment { rules: rules.clone(), role: RoleId::new(0) };
        let a_minute = Limit::after(Duration::from_secs(60));
        player.start(assignment, &a_minute).expect("it plays");
        rules.gates().wait(&Limit::default());
        assert_eq!(player.choose(&a_minute).expect("a move").report.playouts, 20);
    }

    #[test]
    fn it_beats_pure_monte_carlo() {
        let rules = rules("connect-four");
        let mut points = 0;
        for seed in 0..10 {
            let player = |spec: &str| spec.parse::<Spec>().expect("a strategy").player(seed);
            let (uct, plain) = (player("uct"), player("monte-carlo"));
            let is_first = seed % 2 == 0;
            let mut players = if is_first { [uct, plain] } else { [plain, uct] };
            let goals = play(&rules, &mut players, &playouts(1_000));
            points += u32::from(goals[usize::from(!is_first)]);
        }
        assert!(points >= 700, "{points} of 1000 points");
    }

    #[test]
    fn the_tree_is_kept_after_a_joint_move() {
        let mut search = search("tic-tac-toe", usize::MAX);
        search.think(&playouts(5_000)).expect("it plays");
        let Kind::Open(open) = search.tree.kind(search.root) else { panic!("it was looked at") };
        // The fifth move is the middle one.
        let middle = *search.tree.stat(search.tree.stats_of(open, 0).start + 4);
        search.observe(&["(mark 2 2)".to_owned(), "noop".to_owned()]).expect("it is legal");
        assert_eq!(search.tree.node(search.root).visits, middle.visits);
        let Kind::Open(open) = search.tree.kind(search.root) else { panic!("it was reached often") };
        let of_other: u64 = search.tree.stats_of(open, 1).map(|at| search.tree.stat(at).sum).sum();
        // Scores add up to 100; the first visit went to the new node alone.
        let both = 100 * u64::from(middle.visits);
        assert!((both - 200..=both).contains(&(middle.sum + of_other)), "{middle:?} {of_other}");
        search.think(&playouts(10)).expect("it plays");
        assert_eq!(search.tree.node(search.root).visits, middle.visits + 10);
    }

    /// Each role's moves were tried as often as the node was left.
    fn check_counts<E: Engine>(search: &UctSearch<E>) {
        let n_nodes = search.tree.len() as u32;
        for node in 0..n_nodes {
            let Kind::Open(open) = search.tree.kind(node) else { continue };
            for role in 0..search.position.n_roles() {
                let stats = search.tree.stats_of(open, role).map(|at| *search.tree.stat(at));
                let (tries, sum) = stats.fold((0, 0), |(n, sum), stat| (n + stat.visits, sum + stat.sum));
                assert!(sum <= 100 * u64::from(tries));
                // The first visit of all but the first root was a playout from there.
                let visits = search.tree.node(node).visits;
                assert!(tries == visits || tries + 1 == visits, "{tries} of {visits} in {node}");
            }
        }
    }

    #[test]
    fn counts_add_up_in_every_node_and_after_every_move() {
        for game in ["tic-tac-toe", "rock-paper-scissors", "chinese-checkers-3", "tron-10x10", "hanoi-6"] {
            let mut search = search(game, usize::MAX);
            let mut generator = MoveGenerator::new(5);
            for _ in 0..6 {
                search.think(&playouts(500)).expect("it plays");
                check_counts(&search);
                let mut joint = Vec::new();
                for role in 0..search.position.n_roles() {
                    let legal = search.position.legal(RoleId::new(role));
                    let Ok(legal) = legal else { break };
                    joint.push(search.position.text(legal[generator.below(legal.len())]));
                }
                if joint.is_empty() {
                    break;
                }
                search.observe(&joint).expect("it is legal");
                check_counts(&search);
            }
        }
    }

    #[test]
    fn a_full_tree_does_not_grow() {
        let mut search = search("connect-four", 100_000);
        search.think(&playouts(5_000)).expect("it plays");
        assert_eq!(search.playouts, 5_000);
        assert!(search.tree.bytes() < 102_000 && search.tree.len() < 1_000, "{}", search.tree.bytes());
        let visits = search.tree.node(ROOT).visits;
        assert_eq!(visits, 5_000);
        search.choice().expect("a move");
    }

    #[test]
    fn nodes_out_of_reach_are_dropped_from_a_large_tree_when_there_is_time() {
        const MEMORY: usize = 4_000_000;
        let mut search = search("connect-four", MEMORY);
        let joints = [["(drop 4)", "noop"], ["noop", "(drop 1)"]];
        search.think(&playouts(200)).expect("it plays");
        search.observe(&joints[0].map(str::to_owned)).expect("it is legal");
        search.think(&playouts(200)).expect("it plays");
        assert!(search.tree.bytes() < MEMORY / 2 && search.root != ROOT, "a small tree stays as it is");
        while search.tree.bytes() < MEMORY / 2 {
            search.think(&playouts(1_000)).expect("it plays");
        }
        search.observe(&joints[1].map(str::to_owned)).expect("it is legal");
        let (n_nodes, visits) = (search.tree.len(), search.tree.node(search.root).visits);
        let stopped = playouts(2);
        stopped.stop.stop();
        search.think(&stopped).expect("it plays");
        assert_eq!((search.tree.len(), search.root == ROOT), (n_nodes, false), "there is no time");
        search.think(&playouts(2)).expect("it plays");
        assert!(search.root == ROOT && search.tree.len() < n_nodes / 2, "{} nodes", search.tree.len());
        assert_eq!(search.tree.node(ROOT).visits, visits + 2);
    }

    #[test]
    fn it_thinks_in_the_time_of_the_others_until_it_is_stopped() {
        let mut player = started("connect-four", "uct", 1, 1);
        player.ponder(&playouts(500)).expect("it plays");
        let stop = Stop::default();
        let limit = Limit::after(Duration::from_secs(600)).with_stop(stop.clone());
        std::thread::scope(|scope| {
            let pondering = scope.spawn(|| {
                player.ponder(&limit).expect("it plays");
                player
            });
            std::thread::sleep(Duration::from_millis(200));
            stop.stop();
            let mut player = pondering.join().expect("it ends when it is told");
            let report = player.choose(&playouts(1)).expect("a move").report;
            assert!(report.playouts > 501 && report.depth > 1, "{report:?}");
        });
    }

    #[test]
    fn roles_that_move_at_once_choose_for_themselves() {
        let mut player = started("rock-paper-scissors", "uct", 0, 3);
        let report = player.choose(&playouts(2_000)).expect("a move").report;
        assert!((40.0..=70.0).contains(&report.value.expect("it played")), "{report:?}");
        assert!(report.nodes > 1_000 && report.line[0].len() == 2);
    }

    #[test]
    fn the_end_of_a_match_ends_thinking() {
        let mut player = started("ary-tree", "uct", 0, 1);
        player.choose(&playouts(100)).expect("a move");
        player.observe(&["(descend c)".to_owned()]).expect("it is legal");
        player.ponder(&Limit::default()).expect("there is nothing to think about");
        let error = player.choose(&playouts(10)).expect_err("the match is over");
        assert!(matches!(error, SearchError::Play(PlayError::Terminal)));
        assert!(player.observe(&["(descend d)".to_owned()]).is_err());
    }

    #[test]
    fn a_match_without_end_is_cut() {
        let endless = "(role robot) (init (at a)) (legal robot stay) (legal robot go)
            (<= (next (at a)) (does robot stay)) (<= (next (at b)) (does robot go))
            (<= (goal robot 70) (true (at b))) (<= (goal robot 20) (true (at a)))
            (<= terminal (true (at c))) ";
        let rules = crate::Rules::new(senet_gdl::parse(endless)).expect("it plays");
        let mut player = "uct".parse::<Spec>().expect("a strategy").player(1);
        player.start(Assignment { rules, role: RoleId::new(0) }, &Limit::default()).expect("it plays");
        let choice = player.choose(&playouts(100)).expect("a move");
        assert!((20.0..=70.0).contains(&choice.report.value.expect("it played")), "{choice:?}");
    }

    #[test]
    fn rules_that_fail_somewhere_are_played_elsewhere() {
        let broken = "(role robot) (init (at a)) (<= (legal robot stay) (true (at a)))
            (<= (legal robot fall) (true (at a))) (<= (next (at b)) (does robot fall))
            (<= (next (at c)) (does robot stay)) (<= (goal robot 10) (true (at c)))
            (<= terminal (true (at c)))";
        let rules = crate::Rules::new(senet_gdl::parse(broken)).expect("it plays");
        let mut player = "uct".parse::<Spec>().expect("a strategy").player(1);
        player.start(Assignment { rules, role: RoleId::new(0) }, &Limit::default()).expect("it plays");
        assert_eq!(player.choose(&playouts(100)).expect("a move").text, "stay");
    }
}
